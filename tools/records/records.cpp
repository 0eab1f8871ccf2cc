// Keeps the records in results/ at today's version.
//
//   gpp_records upgrade FILE...   rewrites study.json and trajectory.json files of earlier versions
//   there gpp_records print FILE        prints facts and what follows from them, as --json does
#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "harness/record/record_json.h"
#include "harness/record/trajectory.h"
#include "roofline/base/replace_file.h"

namespace gpp {
namespace {

namespace fs = std::filesystem;

bool is_trajectory(const fs::path& file) { return file.filename() == "trajectory.json"; }

void upgrade_file(const fs::path& file) {
  if (is_trajectory(file))
    write_trajectory(file.parent_path(), read_trajectory(file));
  else
    roofline::write_whole(file, roofline::facts_text(read_record(file), true));
}

int run(const std::vector<std::string>& words) {
  const std::string command = words.empty() ? "" : words.front();
  if (command == "upgrade" && words.size() > 1) {
    for (std::size_t i = 1; i < words.size(); ++i) upgrade_file(words[i]);
  } else if (command == "print" && words.size() == 2) {
    const Json json = is_trajectory(words[1]) ? to_json(read_trajectory(words[1]))
                                              : to_json(read_record(words[1]));
    fmt::print("{}\n", json.dump(1));
  } else {
    fmt::print(stderr, "usage: gpp_records upgrade FILE... | print FILE\n");
    return 2;
  }
  return 0;
}

}  // namespace
}  // namespace gpp

int main(int count, char** arguments) try {
  return gpp::run({arguments + 1, arguments + count});
} catch (const std::exception& error) {
  fmt::print(stderr, "gpp_records: {}\n", error.what());
  return 2;
}
