// The attacks: each file of cheats/ says what it tries, what stops it and how that shows; none gets
// a place. Each file of honest/ looks odd, and none of these loses its place.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/judge/judging.h"
#include "tests/text.h"

namespace gpp::test {
namespace {

namespace fs = std::filesystem;

/// None in a player, which does not see them.
std::vector<std::string> names_in(const char* folder) {
  std::vector<std::string> names;
  std::error_code unseen;
  for (const auto& entry :
       fs::directory_iterator(fs::path(GPP_SOURCE_DIR) / "tests/judge" / folder, unseen))
    names.push_back(entry.path().stem().string());
  std::ranges::sort(names);
  return names;
}

fs::path file_of(const char* folder, const std::string& name) {
  return fs::path(GPP_SOURCE_DIR) / "tests/judge" / folder / (name + ".cpp");
}

/// What the head of the file says: "// Outcome: wrong." is "wrong".
std::string told(const fs::path& file, const std::string& word) {
  std::ifstream stream(file);
  const std::string start = "// " + word + ": ";
  for (std::string line; std::getline(stream, line);)
    if (line.starts_with(start)) return line.substr(start.size(), line.size() - start.size() - 1);
  throw std::runtime_error(file.string() + " does not say its " + word);
}

/// Layers by what a file says that stops it; other words stand for what is always there.
std::vector<Layer> layers_of(std::string stopped_by) {
  std::ranges::replace(stopped_by, ' ', '-');
  std::vector<Layer> needed;
  for (int i = 0; i < layer_count; ++i)
    if (stopped_by == name_of(static_cast<Layer>(i))) needed.push_back(static_cast<Layer>(i));
  return needed;
}

class CheatFiles : public testing::TestWithParam<std::string> {};

TEST_P(CheatFiles, GetNoPlace) {
  const fs::path file = file_of("cheats", GetParam());
  const std::string outcome = told(file, "Outcome");
  const std::string why = lacking(layers_of(told(file, "Stopped by")));
  if (!why.empty()) GTEST_SKIP() << why;
  Judging judging;
  judging.longest_run = 2;
  const Ruling ruling = judged_file(file, judging);
  if (outcome == "harmless") {  // the times of others and its own are what they are
    EXPECT_TRUE(judged_step("v8", "omp").passed);
    return;
  }
  if (outcome.starts_with("told ")) {
    const double least = std::stod(outcome.substr(5));
    EXPECT_TRUE(ruling.passed) << ruling.reason;
    for (const double seconds : ruling.samples) EXPECT_GE(seconds, least);
    return;
  }
  EXPECT_FALSE(ruling.passed) << "it got a place";
  EXPECT_NE(ruling.reason, "");
  if (outcome == "wrong") {
    EXPECT_TRUE(contains(ruling.reason, "instead of") || contains(ruling.reason, "NaN"))
        << ruling.reason;
  }
  if (outcome == "not compiled") {
    EXPECT_EQ(ruling.checks, 0) << ruling.reason;
    EXPECT_FALSE(contains(ruling.reason, "root:x")) << "what the compiler read is told";
  }
}

INSTANTIATE_TEST_SUITE_P(All, CheatFiles, testing::ValuesIn(names_in("cheats")),
                         [](const auto& one) { return one.param; });

class HonestFiles : public testing::TestWithParam<std::string> {};

TEST_P(HonestFiles, KeepsItsPlace) {
  const Ruling ruling = judged_file(file_of("honest", GetParam()));
  EXPECT_TRUE(ruling.passed) << ruling.reason;
  EXPECT_FALSE(ruling.foul);
  EXPECT_EQ(ruling.samples.size(), 5);
}

INSTANTIATE_TEST_SUITE_P(All, HonestFiles, testing::ValuesIn(names_in("honest")),
                         [](const auto& one) { return one.param; });

TEST(Cheats, AreManyAndEachNamesItsLayer) {
  EXPECT_GE(names_in("cheats").size(), 30u);
  EXPECT_GE(names_in("honest").size(), 10u);
  for (const std::string& name : names_in("cheats"))
    for (const char* word : {"Cheat", "Stopped by", "Outcome"})
      EXPECT_NE(told(file_of("cheats", name), word), "") << name;
}

}  // namespace
}  // namespace gpp::test
