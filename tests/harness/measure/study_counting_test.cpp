// Tests of counting after timing and of failures in it; counts from source; roofline points.
#include <stdexcept>

#include "gpp/study/operations.h"
#include "gpp/study/shapes.h"
#include "harness/measure/counting.h"
#include "harness/record/derive.h"
#include "tests/gpp/subject.h"
#include "tests/harness/measure/study_fixture.h"
#include "tests/harness/sample_study.h"
#include "tests/roofline/fake_recorder.h"
#include "tests/text.h"

namespace gpp::test {
namespace {

Sums wrong_when_counted(const Problem& problem) {
  static int runs = 0;  // first runs, two timed ones, then counted ones
  Sums sums = right_sums(problem);
  if (++runs > first_runs + 2) sums.asx[0].re += 1;
  return sums;
}
Sums throws_when_counted(const Problem& problem) {
  static int runs = 0;
  if (++runs > first_runs + 2) throw std::runtime_error("the device is gone");
  return right_sums(problem);
}

// A problem with one G' can only be a slice here.

auto& own_g_of_runs = shared<std::array<int, 15>>();  // of each run of right_and_seen
Sums right_and_seen(const Problem& problem) {
  static std::size_t runs = 0;
  own_g_of_runs.at(runs++) = problem.ngpown;
  return right_sums(problem);
}
Sums wrong_on_the_slice(const Problem& problem) {
  Sums sums = right_sums(problem);
  if (problem.ngpown == 1) sums.asx[0].re += 1;
  return sums;
}

class StudyCounts : public Study {
 protected:
  StudyCounts() {
    options.timing.repeat = 2;
    options.counting.recorder = &recorder;
    runtime.kind = "gpu";
  }
  /// Counts one variant on a GPU; its times must not change.
  Result count(const std::string& step, VariantFunction function = right_sums) {
    Result result = run({make_variant(step, function, runtime)}).front();
    EXPECT_EQ(result.status, Status::passed) << result.reason;
    EXPECT_EQ(result.samples.size(), 2u);
    EXPECT_LE(result.check.max_relative_error, 1e-10);
    return result;
  }

  roofline::test::FakeRecorder recorder;
};

TEST_F(StudyCounts, AGpuByHardwareAfterAllTiming) {
  int& runs_before = shared<int>();
  recorder.on_record = [&](int number) {
    if (number == 1) runs_before = runtime.runs;
  };
  const std::vector<Result> results = run(
      {make_variant("power2", right_sums, runtime), make_variant("my_idea", right_sums, runtime)});
  EXPECT_EQ(runs_before, 2 * (first_runs + 2) + 2) << "two timed runs of both, two before counting";
  EXPECT_EQ(runtime.allocations, 2 * pieces_of(*subject)) << "each has its copy for all runs";
  for (const Result& result : results) {
    EXPECT_EQ(result.counted.source, roofline::CountedBy::cupti);
    EXPECT_EQ(result.counted.metrics.at("fp64_flop"), 400);
    EXPECT_GE(result.counted.seconds, 0);
  }
}

TEST_F(StudyCounts, SecondsOnTheStudysClock) {
  double& now = shared<double>();
  events.clock = [&now] { return now; };
  recorder.on_record = [&now](int) { now += 3; };
  EXPECT_DOUBLE_EQ(count("power2").counted.seconds, 9)
      << "the hardware's, the software's, and by kernel";
}

TEST_F(StudyCounts, AHostFromItsSource) {
  runtime.kind = "host";
  const Result result = run({make_variant("power2", right_sums, runtime)}).front();
  EXPECT_EQ(recorder.recordings, 0);
  EXPECT_EQ(result.counted.source, roofline::CountedBy::analytic);
  EXPECT_EQ(result.counted.metrics.at("fp64_flop"),
            StepCounter(problem.view()).operations({"power2", true}).flop());
  options.counting.counters = CountersWanted::source;
  EXPECT_TRUE(contains(run({make_variant("power2", right_sums, runtime)}).front().counted.reason,
                       "--counters source"));
}

TEST_F(StudyCounts, ARefusalOrMissingCountersFallBackToTheSource) {
  recorder.lacking = {roofline::test::dfma};
  Result result = count("power2");
  EXPECT_EQ(result.counted.source, roofline::CountedBy::analytic);
  EXPECT_FALSE(result.counted.missing.empty());
  EXPECT_FALSE(result.counted.counters.empty());
  EXPECT_FALSE(result.counted.metrics.contains("l1_bytes")) << "nothing mixed with the computed";
  recorder.refusal = "no permission; ask for it";
  result = count("power2");
  EXPECT_EQ(result.counted.source, roofline::CountedBy::analytic);
  EXPECT_EQ(result.counted.reason, "no permission; ask for it");
  EXPECT_GT(result.counted.metrics.at("fp64_flop"), 0);
  EXPECT_EQ(count("my_idea").counted.source, roofline::CountedBy::nobody)
      << "and there is none to fall back to";
}

TEST_F(StudyCounts, WhatGoesWrongInACountedRunIsFoundOut) {
  Result result = count("power2", wrong_when_counted);
  EXPECT_EQ(result.counted.source, roofline::CountedBy::analytic);
  EXPECT_TRUE(contains(only(result.counted.defects), "wrong sums"));
  result = count("power2", throws_when_counted);
  EXPECT_EQ(result.counted.source, roofline::CountedBy::analytic);
  EXPECT_TRUE(contains(result.counted.reason, "the device is gone"));
  options.counting.countable_terms = problem.view().terms() / 3;
  result = count("power2", wrong_on_the_slice);
  EXPECT_EQ(result.counted.source, roofline::CountedBy::analytic);
  EXPECT_TRUE(result.counted.counters.empty());
  EXPECT_TRUE(contains(only(result.counted.defects), "wrong sums"));
  options.counting.countable_terms = problem.view().terms();
  recorder.defects = {"2 ranges were dropped"};
  EXPECT_EQ(count("power2").counted.defects, recorder.defects);
}

TEST_F(StudyCounts, OnlyWhatPassedAndWhatIsWanted) {
  const auto counted_by = [this] {
    std::vector<roofline::CountedBy> all;
    for (const Result& result : run({make_variant("throws", throws, runtime),
                                     make_variant("power2", right_sums, runtime)}))
      all.push_back(result.counted.source);
    return all;
  };
  using enum roofline::CountedBy;
  EXPECT_EQ(counted_by(), (std::vector{nobody, cupti}));
  EXPECT_EQ(recorder.recordings, 3);
  options.counting.counters = CountersWanted::off;
  EXPECT_EQ(counted_by(), (std::vector{nobody, nobody}));
  EXPECT_EQ(recorder.recordings, 3);
  EXPECT_TRUE(contains(count("power2").counted.reason, "--counters off"));
}

TEST_F(StudyCounts, ALargeProblemOnASliceToo) {
  options.counting.countable_terms = problem.view().terms();
  EXPECT_FALSE(count("power2").counted.slice) << "small enough on the whole";
  EXPECT_EQ(runtime.allocations, pieces_of(*subject));
  runtime.allocations = 0;
  options.counting.countable_terms = problem.view().terms() / 3 + 1;
  const Result result = count("power2", right_and_seen);
  EXPECT_EQ(result.counted.source, roofline::CountedBy::cupti) << result.counted.reason;
  ASSERT_TRUE(result.counted.slice);
  EXPECT_EQ(result.counted.slice->part, "1 of 3 G'");
  EXPECT_EQ(std::vector<int>(own_g_of_runs.begin() + first_runs + 2, own_g_of_runs.end()),
            (std::vector<int>{3, 1, 3, 3, 3, 3, 1, 1, 1, 3, 3, 3}))
      << "after two timed ones one of each, one sampled, nine counted ones";
  EXPECT_EQ(runtime.allocations, 2 * pieces_of(*subject)) << "the problem and its slice";
}

TEST_F(StudyCounts, ASliceOfAllVariantsIsMadeOnce) {
  options.counting.countable_terms = problem.view().terms() - 1;
  const std::vector<Result> results = run(
      {make_variant("power2", right_sums, runtime), make_variant("factored", right_sums, runtime)});
  for (const Result& result : results) {
    ASSERT_TRUE(result.counted.slice);
    EXPECT_EQ(result.counted.slice->part, "2 of 3 G'");
  }
  EXPECT_EQ(runtime.allocations, 4 * pieces_of(*subject)) << "two of each variant";
}

TEST_F(StudyCounts, AnInterruptionEndsCountingToo) {
  events.interrupted = [this] { return recorder.recordings >= 2; };
  const std::vector<Result> results = run(
      {make_variant("power2", right_sums, runtime), make_variant("factored", right_sums, runtime)});
  EXPECT_EQ(results[0].counted.source, roofline::CountedBy::cupti);
  EXPECT_EQ(results[1].counted.source, roofline::CountedBy::nobody);
  EXPECT_EQ(results[1].status, Status::passed);
  EXPECT_TRUE(contains(results[1].counted.reason, "interrupted"));
}

// ---- From the source ----------------------------------------------------------------------------

using roofline::Counted;
using roofline::CountedBy;

Variant variant_in(const std::string& source, const std::string& operations) {
  Variant variant;
  variant.model = "omp";
  variant.source = source;
  variant.operations = operations;
  return variant;
}

TEST(CountBySource, SaysThatItIsComputedAndWhy) {
  const auto subject = subject_of(random_input({}, 1));
  const Counted counted = count_by_source(
      *subject, variant_in("variants/omp/v08_power2.cpp", "power2; m at every frequency"), "gpu",
      "no counters here");
  StepCounter counter(subject->problem().view());
  EXPECT_EQ(counted.source, CountedBy::analytic);
  EXPECT_EQ(counted.reason, "no counters here");
  EXPECT_EQ(counted.metrics.at("fp64_flop"), counter.operations({"power2", true}).flop());
  EXPECT_EQ(counted.metrics.at("dram_bytes"), counter.compulsory_bytes());
  EXPECT_TRUE(counted.counters.empty());
  EXPECT_FALSE(counted.metrics.contains("l1_bytes")) << "a warp shares what it loads";
}

TEST(CountBySource, AVariantThatDoesNotSayIsNotCounted) {
  const auto subject = subject_of(random_input({}, 1));
  const Counted counted = count_by_source(*subject, variant_in("variants/omp/reduction.h", ""),
                                          "host", "no counters here");
  EXPECT_EQ(counted.source, CountedBy::nobody);
  EXPECT_TRUE(counted.metrics.empty());
  EXPECT_TRUE(contains(counted.reason, "no counters here"));
  EXPECT_TRUE(contains(counted.reason, "has no line '// Operations: ...'"));
}

/// The sample study with v1 counted: 1e12 FLOP in 2 s on a device of 3.3e13 FLOP/s.
StudyRecord counted_study(CountedBy source) {
  StudyRecord study = sample_study();
  Counted& counted = study.results[0].counted;
  counted.source = source;
  counted.metrics = {{"fp64_flop", 1e12}, {"dram_bytes", 1e9}};
  return study;
}

TEST(Place, PutsWhatPassedUnderItsDevicesRoofs) {
  StudyRecord study = counted_study(CountedBy::analytic);
  derive(study, study.results[0]);
  const roofline::RooflinePoint* point = study.results[0].roofline();
  ASSERT_TRUE(point);
  EXPECT_DOUBLE_EQ(point->flop_per_s, 0.5e12) << "over the median of the timed runs";
  EXPECT_TRUE(point->analytic);
  EXPECT_DOUBLE_EQ(only(point->levels).intensity, 1000);
  EXPECT_TRUE(point->defects.empty()) << point->defects.front();
}

TEST(Place, LeavesOutWhatFailedWasNotCountedOrHasNoRoofs) {
  const auto is_placed = [](CountedBy source, Status status, const char* kind) {
    StudyRecord study = counted_study(source);
    study.results[0].status = status;
    study.results[0].kind = kind;
    derive(study, study.results[0]);
    return study.results[0].roofline() != nullptr;
  };
  EXPECT_TRUE(is_placed(CountedBy::cupti, Status::passed, "host"));
  EXPECT_FALSE(is_placed(CountedBy::cupti, Status::failed, "host"));
  EXPECT_FALSE(is_placed(CountedBy::nobody, Status::passed, "host"));
  EXPECT_FALSE(is_placed(CountedBy::cupti, Status::passed, "gpu")) << "all roofs are a host's";
}

}  // namespace
}  // namespace gpp::test
