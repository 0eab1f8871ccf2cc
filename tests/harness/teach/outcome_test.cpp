// What came of a step, and what was said of it before.
#include "harness/teach/outcome.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "harness/record/derive.h"
#include "harness/view/summary.h"
#include "tests/harness/kept_text.h"
#include "tests/harness/sample_study.h"
#include "tests/text.h"

namespace gpp::test {
namespace {

TEST(Speedup, IsANumberThatAStepCanReach) {
  EXPECT_EQ(speedup_in("1.8"), 1.8);
  EXPECT_EQ(speedup_in("1.8x"), 1.8);
  for (const char* bad : {"", "nan", "inf", "-inf", "-1", "0", "1e999", "1e5", "1,8", "fast",
                          "1.8 ", "1.8xx", "x", "0x10"})
    EXPECT_FALSE(speedup_in(bad).has_value()) << bad;
}

TEST(Outcome, WhereARoofIsMissingItSaysWhich) {
  StudyRecord study = roofline_study();
  ASSERT_FALSE(study.results.empty());
  study.results = {study.results.back()};
  Result& result = study.results.front();
  ASSERT_EQ(result.kind, "host");
  result.counted.source = roofline::CountedBy::cupti;
  result.counted.metrics = {
      {"fp64_flop", 1e12}, {"l1_bytes", 1e11}, {"l2_bytes", 1e11}, {"dram_bytes", 1e11}};
  derive(study);
  EXPECT_NE(result.roofline(), nullptr);
  for (roofline::Ceilings& one : study.ceilings)
    std::erase_if(one.list, [](const roofline::Ceiling& roof) { return roof.name == "l2"; });
  derive(study);
  ASSERT_EQ(result.roofline(), nullptr);
  EXPECT_EQ(outcome_of(study, result, nullptr).why_held_back,
            "it has no place on the roofline: the roof of L2 was not measured");
  EXPECT_TRUE(contains(summary(study, false), "because the roof of L2 was not measured."));
}

/// In the sample study v1 took 2 s, v7 0.5 s, v8 failed: v7 over v1, v8 over v7 and v7 over v8; and
/// v7 alone. Once nothing was said of it, once something.
std::string told(const StudyRecord& study) {
  const std::vector<Result>& all = study.results;
  std::string text;
  for (const Outcome& outcome :
       {outcome_of(study, all[1], &all[0]), outcome_of(study, all[2], &all[1]),
        outcome_of(study, all[1], &all[2]), outcome_of(study, all[1], nullptr)})
    for (const Prediction& said : {Prediction{}, Prediction{5.0, "dram"}})
      text += text_of(said, outcome, 300) + to_json(said, outcome).dump() + "\n";
  return text;
}

const std::vector<Change<StudyRecord>> changes = {
    {"nothing more is known",
     [](StudyRecord& study) {
       study.results[1].rooflines.front().percent_of_roof = 10;
       study.results[1].counted.metrics.clear();
     }},
    {"not timed", [](StudyRecord& study) { study.results[1].samples.clear(); }},
    {"others disturbed", [](StudyRecord& study) {
       study.results[0].load.assign(5, {0.3, 0.0});
     }}};

TEST(Outcome, IsTheOneThatIsKept) {
  expect_kept("harness/teach/outcome.txt", told_with_changes(sample_study(), changes, told));
  const std::vector<std::string> words = words_for("host");
  EXPECT_EQ(std::count(words.begin(), words.end(), "no roof near"), 0);
}

}  // namespace
}  // namespace gpp::test
