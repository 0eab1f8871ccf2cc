// Dependencies between the rooms of the project point one way.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

namespace gpp {
namespace {

namespace fs = std::filesystem;

struct Include {
  std::string file;  ///< in the tree's own path
  std::string included;
};

/// What the sources of a folder include of the project's own.
std::vector<Include> includes_of(const std::string& folder) {
  static const std::regex line(
      R"re(^\s*#\s*include "((gpp|data|variants|roofline|harness)/.*)")re");
  const fs::path root = GPP_SOURCE_DIR;
  std::vector<Include> found;
  for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
    const std::string kind = entry.path().extension().string();
    if (kind != ".h" && kind != ".cuh" && kind != ".cpp" && kind != ".cu") continue;
    std::ifstream stream(entry.path());
    std::smatch match;
    for (std::string text; std::getline(stream, text);)
      if (std::regex_search(text, match, line))
        found.push_back({fs::relative(entry.path(), root).string(), match[1]});
  }
  return found;
}

/// "gpp/array.h" lies in gpp, "harness/show/csv.h" in harness/views.
std::string room_of(const std::string& path) {
  const std::size_t first = path.find('/');
  return path.substr(0, path.starts_with("harness/") ? path.find('/', first + 1) : first);
}

void expect_only(const std::string& room, const std::vector<std::string>& allowed) {
  const std::vector<Include> includes = includes_of(room);
  EXPECT_FALSE(includes.empty()) << room << " is not read";
  for (const Include& include : includes)
    EXPECT_NE(std::find(allowed.begin(), allowed.end(), room_of(include.included)), allowed.end())
        << include.file << " includes " << include.included;
}

TEST(Rooms, UseOnlyWhatLiesBelow) {
  expect_only("gpp", {"gpp"});
  expect_only("data", {"data", "gpp"});
  expect_only("variants", {"variants", "gpp"});
  expect_only("roofline", {"roofline"});
}

TEST(Rooms, OfTheHarnessUseOnlyThoseBefore) {
  const std::vector<std::string> order = {"program", "sources", "rules",   "record",
                                          "study",   "views",   "lessons", "hackathon",
                                          "doctor",  "report",  "commands"};
  std::vector<std::string> allowed = {"gpp", "data", "variants", "roofline"};
  for (const std::string& room : order) {
    allowed.push_back("harness/" + room);
    expect_only("harness/" + room, allowed);
  }
  expect_only("harness", allowed);  // nothing of it lies outside its rooms
  std::size_t rooms = 0;
  for (const auto& entry : fs::directory_iterator(fs::path(GPP_SOURCE_DIR) / "harness"))
    rooms += entry.is_directory();
  EXPECT_EQ(rooms, order.size()) << "a room without a place in the order";
}

}  // namespace
}  // namespace gpp
