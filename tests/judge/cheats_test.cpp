// Tests of attacks: each file of cheats/ states its attack, its countermeasure and the outcome;
// none gets a rank. Files of honest/ look odd, and none loses its rank. CUDA files are judged on a
// GPU. Most are written without the frame that all have in common (judging.h).
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

/// Returns nothing in a player, which cannot see the folder.
std::vector<fs::path> files_in(const char* folder, const char* extension) {
  std::vector<fs::path> files;
  std::error_code unseen;
  for (const auto& entry :
       fs::directory_iterator(fs::path(GPP_SOURCE_DIR) / "tests/judge" / folder, unseen))
    if (entry.path().extension() == extension) files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

std::string name_of_file(const testing::TestParamInfo<fs::path>& one) {
  return one.param.stem().string();
}

/// The value of a header line: "wrong" for "// Outcome: wrong."; else "".
std::string told(const fs::path& file, const std::string& word) {
  std::ifstream stream(file);
  const std::string start = "// " + word + ": ";
  for (std::string line; std::getline(stream, line);)
    if (line.starts_with(start)) return line.substr(start.size(), line.size() - start.size() - 1);
  return {};
}

/// The judging of the given file's kernel, or by default of this one.
Judging judging_of(const fs::path& file) {
  Judging judging;
  if (const std::string kernel = told(file, "Kernel"); !kernel.empty()) judging.kernel = kernel;
  return judging;
}

/// The reason why the file cannot be judged here; empty if it can.
std::string lacking_for(const fs::path& file) {
  return file.extension() == ".cu" ? lacking_gpu() : "";
}

class CheatFiles : public testing::TestWithParam<fs::path> {};

TEST_P(CheatFiles, GetNoPlace) {
  const fs::path& file = GetParam();
  const std::string outcome = told(file, "Outcome");
  if (const std::string why = lacking_for(file); !why.empty()) GTEST_SKIP() << why;
  std::string stopped_by = told(file, "Stopped by");  // a layer, or something that is always there
  std::ranges::replace(stopped_by, ' ', '-');
  if (const std::string why = lacking(stopped_by); !why.empty()) GTEST_SKIP() << why;
  Judging judging = judging_of(file);
  judging.longest_run = 2;
  const Ruling ruling = judged_part(file, judging);
  RecordProperty("reason", ruling.reason);
  const bool told_time = outcome.starts_with("told "), compiles = outcome != "not compiled";
  if (outcome == "harmless") {  // the times of others and its own are what they are
    EXPECT_TRUE(judged_step("v8", "omp").passed());
  } else if (told_time || (ruling.passed() && outcome.starts_with("not under "))) {
    EXPECT_TRUE(ruling.passed()) << ruling.reason;
    const double least = std::stod(outcome.substr(outcome.rfind(' ')));
    for (const double seconds : ruling.samples) EXPECT_GE(seconds, least);
  } else {
    EXPECT_FALSE(ruling.passed()) << "it got a place";
    EXPECT_NE(ruling.reason, "");
    EXPECT_TRUE(ruling.foul || outcome != "foul") << ruling.reason;
    EXPECT_TRUE(outcome != "wrong" || contains(ruling.reason, "instead of") ||
                contains(ruling.reason, "NaN"))
        << ruling.reason;
    EXPECT_FALSE(contains(ruling.reason, "root:x")) << "what the compiler read is told";
    EXPECT_TRUE(compiles || ruling.checks == 0) << ruling.reason;
  }
  EXPECT_FALSE(compiles && contains(ruling.reason, "does not compile"));
}

INSTANTIATE_TEST_SUITE_P(All, CheatFiles, testing::ValuesIn(files_in("cheats", ".cpp")),
                         name_of_file);
INSTANTIATE_TEST_SUITE_P(Gpu, CheatFiles, testing::ValuesIn(files_in("cheats", ".cu")),
                         name_of_file);

class HonestFiles : public testing::TestWithParam<fs::path> {};

TEST_P(HonestFiles, KeepsItsPlace) {
  if (const std::string why = lacking_for(GetParam()); !why.empty()) GTEST_SKIP() << why;
  const Ruling ruling = judged_part(GetParam());
  EXPECT_TRUE(ruling.passed()) << ruling.reason;
  EXPECT_FALSE(ruling.foul);
  EXPECT_EQ(ruling.samples.size(), 5);
}

INSTANTIATE_TEST_SUITE_P(All, HonestFiles, testing::ValuesIn(files_in("honest", ".cpp")),
                         name_of_file);
INSTANTIATE_TEST_SUITE_P(Gpu, HonestFiles, testing::ValuesIn(files_in("honest", ".cu")),
                         name_of_file);

TEST(Cheats, AreManyAndEachNamesItsLayer) {
  EXPECT_GE(files_in("cheats", ".cpp").size(), 25u);
  EXPECT_GE(files_in("cheats", ".cu").size(), 15u);
  EXPECT_GE(files_in("honest", ".cpp").size(), 2u);
  for (const char* extension : {".cpp", ".cu"})
    for (const fs::path& file : files_in("cheats", extension))
      for (const char* word : {"Cheat", "Stopped by", "Outcome"})
        EXPECT_NE(told(file, word), "") << file;
}

}  // namespace
}  // namespace gpp::test
