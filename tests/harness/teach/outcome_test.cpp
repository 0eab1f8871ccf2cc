// What came of a step, and what was said of it before.
#include "harness/teach/outcome.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "harness/record/derive.h"
#include "harness/view/summary.h"
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

/// In the sample study v1 took 2 s, v7 0.5 s, v8 failed.
Outcome of_sample(std::size_t result, std::optional<std::size_t> before) {
  const StudyRecord study = sample_study();
  return outcome_of(study, study.results[result], before ? &study.results[*before] : nullptr);
}

TEST(Outcome, IsWhatTheRecordShows) {
  const Outcome outcome = of_sample(1, 0);
  EXPECT_EQ(outcome.variant, "v7");
  EXPECT_DOUBLE_EQ(outcome.speedup.value(), 4);
  EXPECT_GT(outcome.low, 0);
  EXPECT_LE(outcome.low, 4);
  EXPECT_GE(outcome.high, 4);
  EXPECT_EQ(outcome.held_back_by, "l1");
  EXPECT_EQ(outcome.lacking, "");
}

TEST(Outcome, WhereNothingMoreIsKnownThereIsNoCause) {
  StudyRecord study = sample_study();
  Result& result = study.results[1];
  ASSERT_FALSE(result.rooflines.empty());
  result.rooflines.front().percent_of_roof = 10;
  result.counted.metrics.clear();
  const Outcome outcome = outcome_of(study, result, nullptr);
  EXPECT_EQ(outcome.held_back_by, "");
  EXPECT_TRUE(contains(outcome.why_held_back, "machine code"));
  const std::vector<std::string> words = words_for("host");
  EXPECT_EQ(std::count(words.begin(), words.end(), "no roof near"), 0);
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

TEST(Outcome, OfAStepThatFailedOrWasNotTimedThereIsNone) {
  EXPECT_TRUE(contains(of_sample(2, 1).lacking, "v8 failed: "));
  const Outcome after_failed = of_sample(1, 2);
  EXPECT_FALSE(after_failed.speedup.has_value());
  EXPECT_TRUE(contains(after_failed.why_speedup, "v8 failed: "));
  EXPECT_EQ(after_failed.held_back_by, "l1");
  StudyRecord study = sample_study();
  study.results[1].samples.clear();
  EXPECT_EQ(outcome_of(study, study.results[1], nullptr).lacking, "v7 was not timed");
}

TEST(Outcome, KnowsTimesThatOthersDisturbed) {
  StudyRecord study = sample_study();
  EXPECT_FALSE(outcome_of(study, study.results[1], &study.results[0]).disturbed);
  study.results[0].load.assign(study.results[0].samples.size(), {0.3, 0.0});
  const Outcome outcome = outcome_of(study, study.results[1], &study.results[0]);
  EXPECT_TRUE(outcome.disturbed);
  EXPECT_TRUE(contains(text_of({}, outcome, 200), "as far as others left the device alone"));
}

TEST(Outcome, IsToldBesideWhatWasSaid) {
  const Outcome outcome = of_sample(1, 0);
  const std::string text = text_of({5.0, "dram"}, outcome, 300);
  EXPECT_TRUE(contains_in_order(text, {"v7 takes 500.0 ms, and v1 2.000 s: it is 4.00x as fast",
                                       "You said 5.00x.", "\nHeld back by l1: ", "You said dram."}))
      << text;
  EXPECT_FALSE(contains(text_of({}, outcome, 300), "You said"));
  EXPECT_TRUE(contains(text_of({5.0, ""}, of_sample(2, 1), 300), "No outcome: v8 failed: "));
  const auto json = to_json({5.0, ""}, outcome);
  EXPECT_EQ(json["over"], "v1");
  EXPECT_EQ(json["predicted"], 5.0);
  EXPECT_EQ(json["speedup"], 4.0);
  EXPECT_TRUE(to_json({5.0, ""}, of_sample(2, 1))["speedup"].is_null());
}

}  // namespace
}  // namespace gpp::test
