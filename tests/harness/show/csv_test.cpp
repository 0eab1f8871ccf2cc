// Comma-separated values as other programs read them.
#include "harness/view/summary.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "tests/harness/sample_study.h"

namespace gpp {
namespace {

/// Fields of one line, quotes undone.
std::vector<std::string> fields(const std::string& line) {
  std::vector<std::string> list(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"' && quoted && line[i + 1] == '"')
      list.back() += line[i++];
    else if (line[i] == '"')
      quoted = !quoted;
    else if (line[i] == ',' && !quoted)
      list.emplace_back();
    else
      list.back() += line[i];
  }
  return list;
}

TEST(CsvOfAPartialStudy, SaysSoInEachLine) {
  StudyRecord study = test::sample_study();
  const auto column = [&study] {
    std::istringstream text(csv({{"a", study}}));
    std::string last;
    for (std::string line; std::getline(text, line);) last += fields(line).back() + " ";
    return last;
  };
  EXPECT_EQ(column(), "complete true true true true ");
  study.complete = false;
  EXPECT_EQ(column(), "complete false false false false ");
}

class Csv : public testing::Test {
 protected:
  Csv() {
    std::istringstream text(csv({{"a, b", test::sample_study()}}));
    for (std::string line; std::getline(text, line);) rows.push_back(fields(line));
  }
  std::string at(std::size_t row, const std::string& title) const {
    const auto found = std::find(rows[0].begin(), rows[0].end(), title);
    return rows.at(row).at(static_cast<std::size_t>(found - rows[0].begin()));
  }
  std::vector<std::vector<std::string>> rows;
};

TEST_F(Csv, HasOneRowPerResultAndOneFieldPerTitle) {
  ASSERT_EQ(rows.size(), 5u);
  for (const auto& row : rows) EXPECT_EQ(row.size(), rows[0].size());
}

TEST_F(Csv, HoldsNumbersInFull) {
  EXPECT_EQ(std::stod(at(2, "median_s")), test::sample_study().results[1].timing().median);
  EXPECT_DOUBLE_EQ(std::stod(at(2, "speedup_over_v1")), 4.0);
  EXPECT_NEAR(std::stod(at(2, "published_v100_speedup")), 1.63 / 0.66, 1e-12);
  EXPECT_EQ(at(2, "status"), "passed");
}

TEST_F(Csv, HoldsThePlaceUnderTheRoofs) {
  EXPECT_EQ(at(2, "counted_by"), "cupti");
  EXPECT_EQ(std::stod(at(2, "flops")), 1.5e12);
  EXPECT_EQ(std::stod(at(2, "flops_per_s")), 3e12);
  EXPECT_EQ(std::stod(at(2, "percent_of_peak")), 9.1);
  EXPECT_EQ(std::stod(at(2, "percent_of_roof")), 93.75);
  EXPECT_EQ(at(2, "bound_by"), "l1");
  EXPECT_EQ(std::stod(at(2, "intensity_l1")), 1.875);
  EXPECT_EQ(std::stod(at(2, "intensity_l2")), 37.5);
  EXPECT_EQ(std::stod(at(2, "intensity_dram")), 750);
  EXPECT_EQ(std::stod(at(2, "fp64_pipe_percent")), 42.5);
  EXPECT_EQ(at(2, "top_stall"), "wait");
  for (const char* title : {"counted_by", "flops", "bound_by", "intensity_l1", "top_stall"})
    EXPECT_EQ(at(1, title), "") << title << " of what was not counted";
}

TEST_F(Csv, SaysLatencyWhereNoRoofIsNear) {
  EXPECT_EQ(at(2, "held_back_by"), "l1");
  EXPECT_EQ(at(1, "held_back_by"), "") << "not counted";
  StudyRecord study = test::sample_study();
  study.results[1].rooflines.front().percent_of_roof = 26;
  const std::string text = csv({{"far", study}});
  EXPECT_NE(text.find(",latency (wait 3 per issue),"), std::string::npos) << text;
}

TEST_F(Csv, QuotesWhatMustBeAndLeavesOutWhatIsUnknown) {
  EXPECT_EQ(at(1, "study"), "a, b");
  EXPECT_EQ(at(4, "reason"), "no device, \"none\" at all");
  EXPECT_EQ(at(3, "median_s"), "") << "failed";
  EXPECT_EQ(at(3, "max_relative_error"), "") << "not a number";
  EXPECT_EQ(at(4, "terms_per_s"), "");
}

TEST_F(Csv, HoldsNoFormulaAndNothingThatActs) {
  StudyRecord study = test::sample_study();
  study.results.resize(1);
  study.results[0].device = "=cmd|' /C calc'!A0";
  study.results[0].reason = "@x\x1b[2J\n-1";
  const std::string text = csv({{"+team", study}});
  EXPECT_NE(text.find("\n'+team,"), std::string::npos) << text;
  EXPECT_NE(text.find(",'=cmd|' /C calc'!A0,"), std::string::npos) << text;
  EXPECT_NE(text.find(",'@x\\x1b[2J\\n-1,"), std::string::npos) << text;
}

}  // namespace
}  // namespace gpp
