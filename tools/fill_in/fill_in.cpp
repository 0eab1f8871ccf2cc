// gpp_fill_in [--check] FILE...: fills in the numbers of documents from the records in results/,
// see tools/fill_in/marks.h. With --check it changes nothing and fails where a file is not up to
// date. scripts/reproduction calls it.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "harness/kernel.h"
#include "harness/program/build_info.h"
#include "roofline/base/replace_file.h"
#include "tools/fill_in/evidence.h"
#include "tools/fill_in/marks.h"

namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw std::runtime_error("cannot be read");
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// False where the file is not what it should be.
bool settle(const gpp::Evidence& evidence, const fs::path& file, bool check) {
  try {
    const std::string text = text_of(file);
    if (const std::string loose = gpp::unsourced(text); !loose.empty())
      throw std::runtime_error(
          fmt::format("'{}' has no source: list it, or write it in words", loose));
    const std::string filled = evidence.fill_in(text);
    if (filled == text) return true;
    if (!check) {
      roofline::write_whole(file, filled);
      fmt::print("{}: filled in\n", file.string());
      return true;
    }
    fmt::print(stderr, "{}: not what results/ say; run scripts/reproduction\n", file.string());
  } catch (const gpp::AskedForLeftOut& error) {
    fmt::print(stderr, "{}: left as it is: {}\n", file.string(), error.what());
    return true;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}: {}\n", file.string(), error.what());
  }
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App program("Fills in the numbers of documents from the records in results/.",
                   "gpp_fill_in");
  bool check = false;
  std::vector<fs::path> files;
  program.add_flag("--check", check, "Change nothing; fail where a file is not up to date");
  program.add_option("FILE", files, "Markdown with a list of numbers (tools/fill_in/marks.h)")
      ->required();
  CLI11_PARSE(program, argc, argv);

  const gpp::Evidence evidence{fs::path(gpp::build_info::source_dir)};
  bool sound = true;
  for (const fs::path& file : files) sound = settle(evidence, file, check) && sound;
  return sound ? 0 : 1;
}
