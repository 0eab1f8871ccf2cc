// Counting apart from a study: what a recorder gives, what is left where it fails, and points.
#include "harness/counting.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "gpp/prepare.h"
#include "tests/harness/fake_recorder.h"
#include "tests/harness/sample_study.h"
#include "tests/variants/problems.h"

namespace gpp {
namespace {

using test::dadd;
using test::dfma;
using test::FakeRecorder;

std::string right() { return ""; }

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(CountByHardware, KeepsCountersMetricsAndPasses) {
  const FakeRecorder recorder;
  int runs = 0;
  const Counted counted = count_by_hardware(recorder, "cuda v7", [&runs] {
    ++runs;
    return std::string();
  });
  EXPECT_EQ(counted.source, "cupti");
  EXPECT_EQ(counted.reason, "");
  EXPECT_EQ(counted.passes, 6) << "three, and three that count FLOPs again";
  EXPECT_EQ(runs, 6);
  EXPECT_EQ(counted.counters.at("dram__bytes.sum"), 100);
  EXPECT_EQ(counted.metrics.at("fp64_flop"), 400) << "an FMA is two";
  EXPECT_TRUE(counted.defects.empty()) << counted.defects.front();
}

TEST(CountByHardware, WhatIsUnavailableOrRefusedSaysWhy) {
  FakeRecorder recorder;
  recorder.reason = "no CUPTI; install it";
  Counted counted = count_by_hardware(recorder, "cuda v7", right);
  EXPECT_EQ(counted.source, "");
  EXPECT_EQ(counted.reason, "no CUPTI; install it");
  EXPECT_EQ(recorder.recordings, 0);
  recorder.reason = "";
  recorder.refusal = "no permission; ask for it";
  counted = count_by_hardware(recorder, "cuda v7", right);
  EXPECT_EQ(counted.source, "");
  EXPECT_EQ(counted.reason, "no permission; ask for it");
  EXPECT_TRUE(counted.counters.empty());
}

TEST(CountByHardware, WorkThatThrowsEndsNothingElse) {
  const FakeRecorder recorder;
  Counted counted = count_by_hardware(recorder, "cuda v7", []() -> std::string {
    throw std::runtime_error("out of memory on the device");
  });
  EXPECT_EQ(counted.source, "");
  EXPECT_TRUE(contains(counted.reason, "out of memory on the device")) << counted.reason;
  counted = count_by_hardware(recorder, "cuda v7", []() -> std::string { throw 42; });
  EXPECT_EQ(counted.source, "");
  EXPECT_FALSE(counted.reason.empty());
}

TEST(CountByHardware, WrongSumsMakeTheCountsWorthless) {
  const FakeRecorder recorder;
  int runs = 0;
  const Counted counted = count_by_hardware(recorder, "cuda v7", [&runs] {
    return ++runs == 5 ? std::string("asx is NaN") : std::string();
  });
  EXPECT_EQ(counted.source, "");
  EXPECT_TRUE(contains(counted.reason, "asx is NaN")) << counted.reason;
  EXPECT_TRUE(counted.metrics.empty());
  ASSERT_EQ(counted.defects.size(), 1u);
  EXPECT_TRUE(contains(counted.defects.front(), "wrong sums")) << counted.defects.front();
}

TEST(CountByHardware, PassesThatCountDifferentWorkAreADefect) {
  FakeRecorder recorder;
  recorder.on_record = [&recorder](int number) { recorder.values[dadd] = number == 1 ? 100 : 101; };
  const Counted counted = count_by_hardware(recorder, "cuda v7", right);
  EXPECT_EQ(counted.source, "cupti");
  ASSERT_EQ(counted.defects.size(), 1u);
  EXPECT_TRUE(contains(counted.defects.front(), "400 FLOP, then 401")) << counted.defects.front();
}

TEST(CountByHardware, AFailedRecountLeavesTheCounts) {
  FakeRecorder recorder;
  recorder.on_record = [&recorder](int number) {
    if (number == 2) recorder.refusal = "taken by another profiler";
  };
  const Counted counted = count_by_hardware(recorder, "cuda v7", right);
  EXPECT_EQ(counted.source, "cupti");
  ASSERT_EQ(counted.defects.size(), 1u);
  EXPECT_TRUE(contains(counted.defects.front(), "taken by another profiler"));
}

TEST(CountByHardware, KeepsTheRecordersDefectsAndWhatIsMissing) {
  FakeRecorder recorder;
  recorder.defects = {"2 ranges were dropped"};
  recorder.lacking = {"lts__t_bytes.sum"};
  const Counted counted = count_by_hardware(recorder, "cuda v7", right);
  EXPECT_EQ(counted.source, "cupti");
  EXPECT_EQ(counted.defects, recorder.defects);
  ASSERT_EQ(counted.missing.size(), 1u);
  EXPECT_FALSE(counted.metrics.contains("l2_bytes")) << "missing, not 0";
}

TEST(CountByHardware, WithoutFlopOrBytesThereIsNothingToPlace) {
  for (const char* name : {dfma, "dram__bytes.sum"}) {
    FakeRecorder recorder;
    recorder.lacking = {name};
    const Counted counted = count_by_hardware(recorder, "cuda v7", right);
    EXPECT_EQ(counted.source, "");
    EXPECT_TRUE(contains(counted.reason, std::string(name) + ": this chip has none"))
        << counted.reason;
    EXPECT_FALSE(counted.counters.empty()) << "what was counted is kept";
  }
}

TEST(CountBySource, SaysThatItIsComputedAndWhy) {
  const PreparedProblem problem(test::random_input({}, 1));
  StepCounter counter(problem.view());
  const Counted counted = count_by_source(counter, "power2", "omp", "no counters here");
  EXPECT_EQ(counted.source, "analytic");
  EXPECT_EQ(counted.reason, "no counters here");
  EXPECT_EQ(counted.metrics.at("fp64_flop"), counter.operations("power2", "omp")->flop());
  EXPECT_EQ(counted.metrics.at("dram_bytes"), counter.compulsory_bytes());
  EXPECT_TRUE(counted.counters.empty());
}

TEST(CountBySource, AnUnknownStepIsNotCounted) {
  const PreparedProblem problem(test::random_input({}, 1));
  StepCounter counter(problem.view());
  const Counted counted = count_by_source(counter, "my_idea", "omp", "no counters here");
  EXPECT_EQ(counted.source, "");
  EXPECT_TRUE(counted.metrics.empty());
  EXPECT_TRUE(contains(counted.reason, "no counters here")) << counted.reason;
  EXPECT_TRUE(contains(counted.reason, "arithmetic of my_idea")) << counted.reason;
}

/// The sample study with v1 counted: 1e12 FLOP in 2 s, on a device of 3.3e13 FLOP/s.
StudyRecord counted_study(const std::string& source) {
  StudyRecord study = test::sample_study();
  Counted& counted = study.results[0].counted;
  counted.source = source;
  counted.metrics = {{"fp64_flop", 1e12}, {"dram_bytes", 1e9}};
  return study;
}

TEST(Place, PutsWhatPassedUnderItsDevicesRoofs) {
  StudyRecord study = counted_study("analytic");
  place_on_roofline(study);
  const auto& point = study.results[0].roofline;
  ASSERT_TRUE(point);
  EXPECT_DOUBLE_EQ(point->flop_per_s, 0.5e12) << "over the median of the timed runs";
  EXPECT_TRUE(point->analytic);
  ASSERT_EQ(point->levels.size(), 1u);
  EXPECT_DOUBLE_EQ(point->levels[0].intensity, 1000);
  EXPECT_TRUE(point->defects.empty()) << point->defects.front();
}

TEST(Place, SaysWhichLevelsHardwareDidNotCount) {
  StudyRecord study = counted_study("cupti");
  place_on_roofline(study);
  const auto& point = study.results[0].roofline;
  ASSERT_TRUE(point);
  EXPECT_FALSE(point->analytic);
  ASSERT_EQ(point->defects.size(), 2u);
  EXPECT_TRUE(contains(point->defects[0], "l1_bytes is missing"));
  EXPECT_TRUE(contains(point->defects[1], "l2_bytes is missing"));
}

TEST(Place, LeavesOutWhatFailedWasNotCountedOrHasNoRoofs) {
  StudyRecord study = counted_study("cupti");
  study.results[0].status = Status::failed;
  place_on_roofline(study);
  EXPECT_FALSE(study.results[0].roofline);
  study = counted_study("");
  place_on_roofline(study);
  EXPECT_FALSE(study.results[0].roofline);
  study = counted_study("cupti");
  study.results[0].kind = "gpu";
  place_on_roofline(study);
  EXPECT_FALSE(study.results[0].roofline) << "the only roofs are a host's";
}

TEST(Cost, IsTheSecondsAndTheirRatioToOneRunEach) {
  StudyRecord study = test::sample_study();
  study.results[1].counted.seconds = 0;
  EXPECT_FALSE(counting_cost(study));
  study.results[0].counted.seconds = 6;  // its median is 2 s
  study.results[1].counted.seconds = 4;  // 0.5 s
  const auto cost = counting_cost(study);
  ASSERT_TRUE(cost);
  EXPECT_DOUBLE_EQ(cost->seconds, 10);
  EXPECT_DOUBLE_EQ(cost->times_the_runs, 4);
}

TEST(Wishes, AGpuIsCountedOnRequestOnly) {
  const FakeRecorder recorder;
  CountingOptions options;
  options.recorder = &recorder;
  EXPECT_EQ(by_hardware(options, "gpu"), gpu_counting_by_default);
  EXPECT_EQ(wants_ceilings(options, "gpu"), gpu_counting_by_default);
  EXPECT_TRUE(wants_ceilings(options, "host"));
  options.counters = Counters::on;
  EXPECT_TRUE(by_hardware(options, "gpu"));
  EXPECT_FALSE(by_hardware(options, "host"));
  EXPECT_TRUE(wants_ceilings(options, "gpu"));
  options.ceilings = CeilingsWanted::off;
  EXPECT_FALSE(wants_ceilings(options, "host"));
  EXPECT_FALSE(wants_ceilings(options, "gpu"));
  options.counters = Counters::off;
  EXPECT_FALSE(by_hardware(options, "gpu"));
  options = {};
  options.counters = Counters::on;
  EXPECT_FALSE(by_hardware(options, "gpu")) << "nothing to count with";
}

}  // namespace
}  // namespace gpp
