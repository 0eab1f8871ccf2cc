// Tests that dependencies between the project's rooms have one direction.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "roofline/base/text.h"

namespace gpp {
namespace {

namespace fs = std::filesystem;

struct Include {
  std::string file;  ///< path of the file in the tree
  std::string included;
};

bool is_source(const fs::path& path) {
  const std::string kind = path.extension().string();
  return kind == ".h" || kind == ".cuh" || kind == ".cpp" || kind == ".cu";
}

/// A folder left by an earlier state of the tree is not a room.
bool holds_sources(const fs::path& folder) {
  const fs::recursive_directory_iterator files(folder);
  return std::any_of(begin(files), end(files),
                     [](const fs::directory_entry& entry) { return is_source(entry.path()); });
}

/// The project's headers that a folder's sources include.
std::vector<Include> includes_of(const std::string& folder) {
  static const roofline::Pattern line(
      "^\\s*#\\s*include "
      "[\"<]((\\.\\.|roofline|runtimes|gpp|data|variants|harness|examples|cli)"
      "/.*)[\">]");
  const fs::path root = GPP_SOURCE_DIR;
  std::vector<Include> found;
  for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
    if (!is_source(entry.path())) continue;
    std::ifstream stream(entry.path());
    for (std::string text; std::getline(stream, text);)
      if (const auto match = line.first(text))
        found.push_back({fs::relative(entry.path(), root).string(), (*match)[1]});
  }
  return found;
}

/// "gpp/array.h" is in gpp, "harness/view/summary.h" in harness/view, "harness/kernel.h" in
/// harness.
std::string room_of(const std::string& path) {
  for (const char* parent : {"harness/", "gpp/study/", "examples/"})
    if (path.starts_with(parent))
      if (const std::size_t end = path.find('/', std::string(parent).size()); end != path.npos)
        return path.substr(0, end);
  for (const char* room : {"gpp/study", "gpp/scale"})
    if (path.starts_with(std::string(room) + "/")) return room;
  return path.substr(0, path.find('/'));
}

void expect_only(const std::string& room, const std::vector<std::string>& allowed) {
  const std::vector<Include> includes = includes_of(room);
  EXPECT_FALSE(includes.empty()) << room << " is not read";
  for (const Include& include : includes) {
    if (room_of(include.file) != room && room != "harness") continue;  // a nested room
    EXPECT_NE(std::find(allowed.begin(), allowed.end(), room_of(include.included)), allowed.end())
        << include.file << " includes " << include.included;
  }
}

/// The rooms of harness/ in order.
const std::vector<std::string> harness = {"harness/program", "harness/plugin",  "harness/record",
                                          "harness/measure", "harness/command", "harness/judge",
                                          "harness/view",    "harness/teach",   "harness/report"};

std::vector<std::string> with_harness(std::vector<std::string> rooms) {
  rooms.emplace_back("harness");
  rooms.insert(rooms.end(), harness.begin(), harness.end());
  return rooms;
}

TEST(Rooms, UseOnlyWhatLiesBelow) {
  expect_only("roofline", {"roofline"});
  expect_only("runtimes", {"runtimes", "roofline"});
  expect_only("gpp", {"gpp", "runtimes", "roofline"});
  expect_only("data", {"data", "gpp", "roofline"});
  expect_only("variants", {"variants", "gpp", "runtimes"});
  expect_only("gpp/study", with_harness({"gpp/study", "gpp", "data", "roofline", "runtimes"}));
  expect_only("gpp/scale",
              with_harness({"gpp/scale", "gpp/study", "gpp", "data", "roofline", "runtimes"}));
  for (const std::string room :
       {"stream", "toys", "nbody", "transpose", "smith_waterman", "epsilon"})
    expect_only("examples/" + room,
                with_harness({"examples", "examples/" + room, "cli", "roofline", "runtimes"}));
  expect_only("cli", with_harness({"cli", "gpp/study", "roofline", "runtimes"}));
}

/// harness/ must not depend on a kernel.
TEST(Rooms, OfTheHarnessUseOnlyThoseBefore) {
  std::vector<std::string> allowed = {"roofline", "runtimes", "harness"};
  for (const std::string& room : harness) {
    allowed.push_back(room);
    expect_only(room, allowed);
  }
  expect_only("harness", allowed);
  std::size_t rooms = 0;
  for (const auto& entry : fs::directory_iterator(fs::path(GPP_SOURCE_DIR) / "harness"))
    rooms += entry.is_directory() && holds_sources(entry.path());
  EXPECT_EQ(rooms, harness.size()) << "a room without a place in the order";
}

/// The project's headers that a source needs, directly or indirectly.
std::set<std::string> headers_of(const std::string& source) {
  static const roofline::Pattern line("^#include \"([a-z_]+/.*)\"");
  std::set<std::string> headers;
  std::vector<std::string> unread = {source};
  while (!unread.empty()) {
    std::ifstream stream(fs::path(GPP_SOURCE_DIR) / unread.back());
    EXPECT_TRUE(stream.is_open()) << unread.back();
    unread.pop_back();
    for (std::string text; std::getline(stream, text);)
      if (const auto match = line.first(text))
        if (headers.insert((*match)[1]).second) unread.push_back((*match)[1]);
  }
  return headers;
}

/// v1 must be readable with few headers, and without anything of v11 to v14.
TEST(Variants, NeedFewHeadersAndNoneOfLaterSteps) {
  for (const char* v1 : {"serial/v01_collapse3.cpp", "omp/v01_collapse3.cpp",
                         "thrust/v01_collapse3.cpp", "cuda/v01_collapse3.cu"}) {
    const std::size_t headers = headers_of("variants/" + std::string(v1)).size();
    EXPECT_LE(headers, 10u) << v1;
    EXPECT_GE(headers, 6u) << v1;
  }
  const std::set<std::string> later = headers_of("variants/cuda/v11_factored.cu");
  EXPECT_TRUE(later.contains("gpp/factored_problem.h"));
  for (const auto& entry :
       fs::recursive_directory_iterator(fs::path(GPP_SOURCE_DIR) / "variants")) {
    const std::string name = entry.path().filename().string();
    if (!is_source(entry.path()) || !name.starts_with("v") || name >= "v11") continue;
    for (const std::string& header :
         headers_of(fs::relative(entry.path(), GPP_SOURCE_DIR).string())) {
      const std::string room = header.substr(0, header.rfind('/'));
      EXPECT_TRUE(room == "gpp" || room == "gpp/forms" || room.starts_with("runtimes") ||
                  header.ends_with("/reduction.cuh") || header.ends_with("/reduction.h") ||
                  header.ends_with("/registers.h") || header.ends_with("/plus.h"))
          << name << " needs " << header;
      for (const char* word :
           {"factored", "real_poles", "moments", "integers", "lanes", "variant."})
        EXPECT_EQ(header.find(word), header.npos) << name << " needs " << header;
    }
  }
}

}  // namespace
}  // namespace gpp
