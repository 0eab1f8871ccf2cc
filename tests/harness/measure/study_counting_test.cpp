// Tests of counting after timing and of failures in it; counts from source; roofline points;
// evidence per source line.
#include <nlohmann/json.hpp>

#include "gpp/study/operations.h"
#include "gpp/study/shapes.h"
#include "harness/measure/lines.h"
#include "harness/measure/study.h"
#include "harness/program/source_files.h"
#include "harness/record/derive.h"
#include "roofline/view/lines.h"
#include "tests/harness/measure/study_fixture.h"
#include "tests/harness/sample_study.h"
#include "tests/roofline/fake_recorder.h"

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

TEST_F(StudyCounts, ALargeProblemOnASliceTooThatIsMadeOnce) {
  options.counting.countable_terms = problem.view().terms();
  EXPECT_FALSE(count("power2").counted.slice) << "small enough on the whole";
  EXPECT_EQ(runtime.allocations, pieces_of(*subject));
  options.counting.countable_terms = problem.view().terms() / 3 + 1;
  const Result result = count("power2", right_and_seen);
  EXPECT_EQ(result.counted.source, roofline::CountedBy::cupti) << result.counted.reason;
  ASSERT_TRUE(result.counted.slice);
  EXPECT_EQ(result.counted.slice->part, "1 of 3 G'");
  EXPECT_EQ(std::vector<int>(own_g_of_runs.begin() + first_runs + 2, own_g_of_runs.end()),
            (std::vector<int>{3, 1, 3, 3, 3, 3, 1, 1, 1, 3, 3, 3}))
      << "after two timed ones one of each, one sampled, nine counted ones";
  runtime.allocations = 0;
  options.counting.countable_terms = problem.view().terms() - 1;
  for (const Result& one : run({make_variant("power2", right_sums, runtime),
                                make_variant("factored", right_sums, runtime)})) {
    ASSERT_TRUE(one.counted.slice);
    EXPECT_EQ(one.counted.slice->part, "2 of 3 G'");
  }
  EXPECT_EQ(runtime.allocations, 4 * pieces_of(*subject)) << "problem and slice of each variant";
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

TEST(CountBySource, SaysThatItIsComputedAndWhyOrThatTheSourceDoesNotSay) {
  const auto subject = subject_of(random_input({}, 1));
  Variant variant{"v8", "power2", "omp", "variants/omp/v08_power2.cpp", {}, ""};
  variant.operations = "power2; m at every frequency";
  const Counted counted = count_by_source(*subject, variant, "gpu", "no counters here");
  StepCounter counter(subject->problem().view());
  EXPECT_EQ(counted.source, CountedBy::analytic);
  EXPECT_EQ(counted.reason, "no counters here");
  EXPECT_EQ(counted.metrics.at("fp64_flop"), counter.operations({"power2", true}).flop());
  EXPECT_EQ(counted.metrics.at("dram_bytes"), counter.compulsory_bytes());
  EXPECT_TRUE(counted.counters.empty());
  EXPECT_FALSE(counted.metrics.contains("l1_bytes")) << "a warp shares what it loads";
  variant.operations = "";
  const Counted none = count_by_source(*subject, variant, "host", "no counters here");
  EXPECT_EQ(none.source, CountedBy::nobody);
  EXPECT_TRUE(none.metrics.empty());
  EXPECT_TRUE(contains_all(none.reason, {"no counters here", "has no line '// Operations: FORM"}));
}

/// The sample study with v1 counted: 1e12 FLOP in 2 s on a device of 3.3e13 FLOP/s.
StudyRecord counted_study(CountedBy source) {
  StudyRecord study = sample_study();
  Counted& counted = study.results[0].counted;
  counted.source = source;
  counted.metrics = {{"fp64_flop", 1e12}, {"dram_bytes", 1e9}};
  return study;
}

TEST(Place, PutsWhatPassedAndWasCountedUnderItsDevicesRoofs) {
  StudyRecord study = counted_study(CountedBy::analytic);
  derive(study, study.results[0]);
  const roofline::RooflinePoint* point = study.results[0].roofline();
  ASSERT_TRUE(point);
  EXPECT_DOUBLE_EQ(point->flop_per_s, 0.5e12) << "over the median of the timed runs";
  EXPECT_TRUE(point->analytic);
  EXPECT_DOUBLE_EQ(only(point->levels).intensity, 1000);
  EXPECT_TRUE(point->defects.empty()) << point->defects.front();
  for (const auto& [source, status, kind, placed] :
       {std::tuple(CountedBy::cupti, Status::passed, "host", true),
        {CountedBy::cupti, Status::failed, "host", false},
        {CountedBy::nobody, Status::passed, "host", false},
        {CountedBy::cupti, Status::passed, "gpu", false}}) {  // all roofs are a host's
    study = counted_study(source);
    study.results[0].status = status;
    study.results[0].kind = kind;
    derive(study, study.results[0]);
    EXPECT_EQ(study.results[0].roofline() != nullptr, placed) << kind;
  }
}

// ---- Evidence per source line -------------------------------------------------------------------

const char* const variant_file = "variants/cuda/v04_iw_outside.cu";
const char* const form_file = "gpp/forms/divide.h";

/// Line 40 of the variant itself, and line 20 of a form inlined there.
std::vector<roofline::LineEvidence> two_lines() {
  roofline::LineEvidence own, inlined;
  own.place = {variant_file, 40};
  inlined.place = {form_file, 20};
  inlined.called_from = own.place;
  own.function = inlined.function = "f";
  return {own, inlined};
}

/// Lines of 7 of 1385 G': every warp runs 4 instructions of the variant and 6 of the form.
FoundLines found_lines() {
  FoundLines found;
  found.samples.terms = 13850;
  found.samples.period = 2048;
  found.samples.dropped = 3;
  found.samples.elsewhere = 1;
  found.samples.sampled_seconds = 0.0202;
  found.samples.plain_seconds = 0.02;
  found.samples.lines = two_lines();
  found.samples.lines[0].stalls["wait"] = 10;
  found.samples.lines[1].stalls["wait"] = 30;
  found.counts_terms = 70;
  found.part = "7 of 1385 G'";
  found.counts.counted = {"warp_instructions"};
  found.counts.lines = two_lines();
  found.counts.lines[0].counts["warp_instructions"] = 4 * 347 * 7;
  found.counts.lines[1].counts["warp_instructions"] = 6 * 347 * 7;
  return found;
}

TEST(Lines, PutsSamplesAndCountsOfEachLineTogether) {
  const LinesRecord record = joined(found_lines());
  EXPECT_TRUE(record.lost.empty()) << record.lost.front();
  EXPECT_EQ(record.period, 2048);
  EXPECT_EQ(record.terms, 13850);
  EXPECT_EQ(record.part, "7 of 1385 G'");
  EXPECT_EQ(record.sums.at("warp_instructions"), 10u * 347 * 7);
  ASSERT_EQ(record.lines.size(), 2u);
  EXPECT_EQ(record.lines[0].place.file, form_file);
  EXPECT_EQ(record.lines[0].samples(), 30u);
  EXPECT_EQ(record.lines[0].counts.at("warp_instructions"), 6u * 347 * 1385)
      << "to the instruction";
  EXPECT_EQ(record.lines[1].counts.at("warp_instructions"), 4u * 347 * 1385);
  EXPECT_TRUE(record.sources.contains(variant_file));
  EXPECT_TRUE(record.sources.contains(form_file));
}

TEST(Lines, ScalesWholeMultiplesToWholeMultiples) {
  for (const std::int64_t kept : {1, 7, 35, 1385})
    EXPECT_EQ(scaled_count(347ULL * 800 * 2 * kept, 11075LL * 1385 * 1600, 11075 * 1600 * kept),
              768'952'000u)
        << kept;
  EXPECT_EQ(scaled_count(7, 10, 4), 18u) << "17.5, rounded";
  EXPECT_EQ(scaled_count(roofline::most_events, 1'000'000'000'000'000'000, 1),
            roofline::most_events);
  EXPECT_EQ(scaled_count(3, 999'999'999'999'999'989, 333'333'333'333'333'333), 9u);
}

TEST(Lines, AModeThatIsLostLeavesTheOther) {
  FoundLines found = found_lines();
  found.samples = {};
  found.samples.terms = 13850;
  const LinesRecord record = joined(found);
  EXPECT_FALSE(record.has_samples());
  EXPECT_EQ(record.lines[1].counts.at("warp_instructions"), 4u * 347 * 1385);
}

// ---- As text ------------------------------------------------------------------------------------

TEST(Lines, TheTableHasTheVariantsLineWithTheFormBelowAndWhatIsMissing) {
  FoundLines found = found_lines();
  found.counts = {};
  found.samples.lost = {"counts of instructions: no such thing"};
  expect_kept("harness/measure/lines.txt",
              hottest_lines(joined(found_lines()), "cuda v4", 20, false) + "====\n" +
                  hottest_lines(joined(found), "cuda v4", 1, false));
}

TEST(RepositoryPath, IsTheEndOfAPathThatTheProgramKnows) {
  EXPECT_EQ(repository_path(std::string("/elsewhere/lines/") + variant_file), variant_file);
  EXPECT_EQ(repository_path(std::string("../") + form_file), form_file);
  EXPECT_EQ(repository_path(std::string("/a/build/../") + form_file), form_file);
  EXPECT_EQ(repository_path("/usr/include/math.h"), "/usr/include/math.h");
  EXPECT_EQ(repository_path(""), "");
}

}  // namespace
}  // namespace gpp::test
