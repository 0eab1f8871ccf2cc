// How a study runs variants: what is recorded, and what one variant's failure leaves of the others.
#include "harness/measure/study.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "gpp/study/check.h"
#include "gpp/study/record.h"
#include "gpp/study/shapes.h"
#include "harness/measure/measure.h"
#include "tests/gpp/subject.h"
#include "tests/harness/fake_runtime.h"
#include "tests/harness/faulty.h"
#include "tests/harness/measure/fake_machine.h"
#include "tests/harness/sample_study.h"
#include "tests/roofline/fake_recorder.h"

namespace gpp {
namespace {

using test::FakeRuntime;
using test::make_variant;

Sums throws(const Problem&) { throw std::runtime_error("out of memory on the device"); }
Sums throws_no_exception(const Problem&) { throw 42; }

/// Untimed runs of each variant: the small problems, two each twice, and the warm-up.
constexpr int first_runs = 5;

class Study : public testing::Test {
 protected:
  std::vector<Result> run(const std::vector<Variant>& variants) {
    std::vector<Choice> choices;
    for (const Variant& variant : variants) choices.push_back(choose(variant));
    return run_study(gpp_kernel(), *subject, choices, options, events);
  }

  /// Pieces of memory that a problem takes, placed once.
  static int pieces_of(const Subject& placed) {
    const FakeRuntime fresh;
    placed.place(fresh);
    return fresh.allocations;
  }

  /// That all of a study take: its own, and the small ones that every variant runs first.
  int pieces_of_all() const {
    int pieces = pieces_of(*subject);
    for (const auto& decoy : gpp_kernel().decoys()) pieces += pieces_of(*decoy);
    return pieces;
  }

  std::unique_ptr<GppSubject> subject =
      test::subject_of(random_input({.name = "few", .ncouls = 9, .ngpown = 3, .nbands = 5}, 1));
  const PreparedProblem& problem = subject->problem();
  const Reference& reference = subject->sums();
  FakeRuntime runtime;
  StudyOptions options;
  StudyEvents events;
};

TEST_F(Study, RecordsSumsSamplesLaunchesAndDevice) {
  runtime.seconds = [](int n) { return 1.0 + n; };
  options.timing.repeat = 3;
  const std::vector<Result> results = run({make_variant("right", test::right_sums, runtime)});
  ASSERT_EQ(results.size(), 1u);
  const Result& result = results.front();
  EXPECT_EQ(result.status, Status::passed) << result.reason;
  EXPECT_EQ(result.device, "fake device");
  EXPECT_EQ(result.kind, "host");
  EXPECT_EQ(result.samples,
            (std::vector<double>{1.0 + first_runs, 2.0 + first_runs, 3.0 + first_runs}));
  EXPECT_EQ(result.stop, Stop::repeats);
  ASSERT_EQ(result.launches.size(), 1u);
  EXPECT_EQ(result.launches.front().blocks, 7);
  EXPECT_TRUE(check(sums_of(result.answer), reference, problem.view().nfreq, 1e-10).passed);
  EXPECT_LE(result.check.max_relative_error, 1e-10);
}

TEST_F(Study, PlacesTheProblemOncePerDevice) {
  options.timing.repeat = 4;
  run({make_variant("a", test::right_sums, runtime), make_variant("b", test::right_sums, runtime)});
  EXPECT_EQ(runtime.allocations, pieces_of_all()) << "the problem and the two small ones";
}

TEST_F(Study, FailuresEndOneVariantAndNotTheOthers) {
  options.timing.repeat = 2;
  const std::vector<Result> results = run({make_variant("throws", throws, runtime),
                                           make_variant("odd", throws_no_exception, runtime),
                                           make_variant("right", test::right_sums, runtime)});
  EXPECT_EQ(results[0].status, Status::failed);
  EXPECT_NE(results[0].reason.find("out of memory on the device"), std::string::npos);
  EXPECT_EQ(results[1].status, Status::failed);
  EXPECT_FALSE(results[1].reason.empty());
  EXPECT_EQ(results[2].status, Status::passed);
  EXPECT_EQ(results[2].samples.size(), 2u);
}

// Variants that write where they may only read. They do so on the problem itself alone: on the
// small ones nobody could be hurt.

bool is_the_problem(const Problem& problem) { return problem.nbands == 5; }

void spoil(const Problem& problem) { const_cast<Complex*>(problem.aqsntemp.data)[0].re += 1; }

Sums writes_always(const Problem& problem) {
  const Sums sums = test::right_sums(problem);
  spoil(problem);
  return sums;
}
Sums writes_on_the_problem(const Problem& problem) {
  const Sums sums = test::right_sums(problem);
  if (is_the_problem(problem)) spoil(problem);
  return sums;
}
int late_calls = 0;
Sums writes_late(const Problem& problem) {
  const Sums sums = test::right_sums(problem);
  if (is_the_problem(problem) && ++late_calls == 3) spoil(problem);
  return sums;
}

TEST_F(Study, AVariantThatWritesToItsInputFailsAlone) {
  options.timing.repeat = 4;
  for (const VariantFunction writer : {writes_always, writes_on_the_problem}) {
    const std::vector<Result> results = run({make_variant("before", test::right_sums, runtime),
                                             make_variant("writer", writer, runtime),
                                             make_variant("after", test::right_sums, runtime)});
    EXPECT_EQ(results[0].status, Status::passed) << results[0].reason;
    EXPECT_EQ(results[2].status, Status::passed) << results[2].reason;
    EXPECT_EQ(results[1].status, Status::failed);
    EXPECT_NE(results[1].reason.find("writes to its input (aqsntemp)"), std::string::npos)
        << results[1].reason;
  }
}

/// Where looking is too dear to be done after each run, the others are not made to pay for it.
TEST_F(Study, AVariantThatWasNotSeenWritingHurtsNobodyElse) {
  options.timing.repeat = 6;
  double now = 0;
  events.clock = [&now] { return now; };
  runtime.on_read = [&now] { now += 1; };  // looking takes long, running nothing
  late_calls = 0;
  const std::vector<Result> results = run({make_variant("writer", writes_late, runtime),
                                           make_variant("right", test::right_sums, runtime)});
  EXPECT_EQ(results[1].status, Status::passed) << results[1].reason;
  EXPECT_EQ(results[1].samples.size(), 6u);
}

TEST_F(Study, NoTwoTimedRunsAskForTheSameSums) {
  options.timing.repeat = 6;
  static std::vector<double> seen;
  seen.clear();
  const auto note = [](const Problem& p) {
    const Sums sums = test::right_sums(p);
    if (is_the_problem(p)) seen.push_back(sums.ach[0].re);
    return sums;
  };
  const Result result = run({make_variant("right", note, runtime)}).front();
  EXPECT_EQ(result.status, Status::passed) << result.reason;
  std::sort(seen.begin(), seen.end());
  const auto different = std::unique(seen.begin(), seen.end()) - seen.begin();
  EXPECT_GE(different, 4) << "of 7 draws among 125";
  EXPECT_TRUE(check(sums_of(result.answer), reference, problem.view().nfreq, 1e-10).passed)
      << "the sums recorded are those of the problem as it is";
}

TEST_F(Study, AProblemThatDoesNotFitFailsWithTheDevicesWords) {
  FakeRuntime small;
  small.place_error = "needs 5 GB, has 1 GB";
  const std::vector<Result> results = run(
      {make_variant("a", test::right_sums, small), make_variant("b", test::right_sums, runtime)});
  EXPECT_EQ(results[0].status, Status::failed);
  EXPECT_NE(results[0].reason.find("needs 5 GB, has 1 GB"), std::string::npos);
  EXPECT_EQ(results[1].status, Status::passed);
}

TEST_F(Study, WhatCannotRunIsUnavailableWithItsReason) {
  FakeRuntime absent;
  absent.reason = "no device; install one";
  const Variant unbuilt{"v2", "unbuilt", "fake", "", {}, "no compiler; install one"};
  const std::vector<Result> results =
      run({make_variant("absent", test::right_sums, absent), unbuilt});
  EXPECT_EQ(results[0].status, Status::unavailable);
  EXPECT_EQ(results[0].reason, "no device; install one");
  EXPECT_EQ(results[1].status, Status::unavailable);
  EXPECT_EQ(results[1].reason, "no compiler; install one");
  EXPECT_EQ(absent.allocations, 0);
}

TEST_F(Study, TimesUntilStable) {
  const std::vector<Result> results = run({make_variant("right", test::right_sums, runtime)});
  EXPECT_EQ(results.front().stop, Stop::stable);
  EXPECT_EQ(results.front().samples.size(), 5u);
}

TEST_F(Study, InterleavesVariantsInTurningOrder) {
  options.timing.repeat = 2;
  runtime.seconds = [](int n) { return 1.0 + n; };
  const std::vector<Result> results = run(
      {make_variant("a", test::right_sums, runtime), make_variant("b", test::right_sums, runtime)});
  // First the untimed runs of both. Then a b, then b a.
  const double first = 1.0 + 2 * first_runs;
  EXPECT_EQ(results[0].samples, (std::vector<double>{first, first + 3}));
  EXPECT_EQ(results[1].samples, (std::vector<double>{first + 1, first + 2}));
}

TEST_F(Study, TheTimeLimitIsSharedAndTheSlowDoNotEatIt) {
  double now = 0;
  events.clock = [&now] { return now; };
  runtime.seconds = [&now](int n) {  // noisy, so that no median is stable
    now += 1;
    return 1.0 + 0.5 * (n % 3);
  };
  options.timing.time_limit = 20;
  const std::vector<Result> results = run(
      {make_variant("a", test::right_sums, runtime), make_variant("b", test::right_sums, runtime)});
  for (const Result& result : results) {
    EXPECT_EQ(result.stop, Stop::time_limit);
    EXPECT_EQ(result.samples.size(), 10u) << "ten seconds each";
  }
}

TEST_F(Study, AFirstRunBeyondTheShareIsTheOnlySample) {
  runtime.seconds = [](int n) { return n == first_runs - 1 ? 60.0 : 50.0; };
  options.timing.time_limit = 20;
  const std::vector<Result> results = run({make_variant("slow", test::right_sums, runtime)});
  EXPECT_EQ(results.front().samples, (std::vector<double>{60}));
  EXPECT_EQ(results.front().stop, Stop::time_limit);
  EXPECT_EQ(runtime.runs, first_runs);
}

TEST_F(Study, ATimeOfZeroIsAFailure) {
  runtime.seconds = [](int) { return 0.0; };
  const std::vector<Result> results = run({make_variant("right", test::right_sums, runtime)});
  EXPECT_EQ(results.front().status, Status::failed);
  EXPECT_NE(results.front().reason.find("clock"), std::string::npos);
}

TEST_F(Study, KeepsARecordAfterEveryStep) {
  options.timing.repeat = 2;
  int records = 0;
  bool complete = true;
  events.recorded = [&](const std::vector<Result>& results) {
    ++records;
    complete = complete && results.size() == 2;
  };
  run({make_variant("throws", throws, runtime), make_variant("right", test::right_sums, runtime)});
  EXPECT_GE(records, 5) << "start, two first runs, two rounds";
  EXPECT_TRUE(complete) << "variants that have not run yet are in it too";
}

TEST_F(Study, AnInterruptionKeepsWhatIsThere) {
  options.timing.repeat = 100;
  events.interrupted = [this] { return runtime.runs >= 2 * first_runs + 4; };
  const std::vector<Result> results = run(
      {make_variant("a", test::right_sums, runtime), make_variant("b", test::right_sums, runtime)});
  EXPECT_EQ(results[0].samples.size() + results[1].samples.size(), 4u);
  EXPECT_EQ(results[0].status, Status::passed);
}

TEST_F(Study, AnInterruptionLeavesTheRestNotRun) {
  events.interrupted = [this] { return runtime.runs >= first_runs; };
  const std::vector<Result> results = run(
      {make_variant("a", test::right_sums, runtime), make_variant("b", test::right_sums, runtime)});
  EXPECT_EQ(results[0].status, Status::passed);
  EXPECT_EQ(results[1].status, Status::unavailable);
  EXPECT_NE(results[1].reason.find("not run"), std::string::npos);
}

// Counting comes after all timing, and changes nothing of it.

Sums wrong_when_counted(const Problem& problem) {
  static int runs = 0;  // the first ones, two timed ones, then counted ones
  Sums sums = test::right_sums(problem);
  if (++runs > first_runs + 2) sums.asx[0].re += 1;
  return sums;
}
Sums throws_when_counted(const Problem& problem) {
  static int runs = 0;
  if (++runs > first_runs + 2) throw std::runtime_error("the device is gone");
  return test::right_sums(problem);
}

// A slice of one of the three G' is the only problem of one that a study runs here.

std::vector<int> own_g_of_runs;  // of every run of right_and_seen
Sums right_and_seen(const Problem& problem) {
  own_g_of_runs.push_back(problem.ngpown);
  return test::right_sums(problem);
}
Sums wrong_on_the_slice(const Problem& problem) {
  Sums sums = test::right_sums(problem);
  if (problem.ngpown == 1) sums.asx[0].re += 1;
  return sums;
}

class StudyCounts : public Study {
 protected:
  StudyCounts() {
    options.timing.repeat = 2;
    options.counting.recorder = &recorder;
  }
  static Variant on_gpu(const std::string& step, VariantFunction function, const Runtime& runtime) {
    Variant variant = make_variant(step, function, runtime);
    variant.builds.front().kind = "gpu";
    return variant;
  }
  /// One variant on a GPU; whatever counting did, its times are what they were.
  Result count(const std::string& step, VariantFunction function = test::right_sums) {
    Result result = run({on_gpu(step, function, runtime)}).front();
    EXPECT_EQ(result.status, Status::passed) << result.reason;
    EXPECT_EQ(result.samples.size(), 2u);
    EXPECT_LE(result.check.max_relative_error, 1e-10);
    return result;
  }

  roofline::test::FakeRecorder recorder;
};

TEST_F(StudyCounts, AGpuByHardwareAfterAllTiming) {
  int runs_before = 0;
  recorder.on_record = [&](int number) {
    if (number == 1) runs_before = runtime.runs;
  };
  const std::vector<Result> results = run(
      {on_gpu("power2", test::right_sums, runtime), on_gpu("my_idea", test::right_sums, runtime)});
  EXPECT_EQ(runs_before, 2 * (first_runs + 2) + 1) << "two timed runs of both, one before counting";
  EXPECT_EQ(runtime.allocations, pieces_of_all()) << "the problem stays where it is";
  for (const Result& result : results) {
    EXPECT_EQ(result.counted.source, roofline::CountedBy::cupti);
    EXPECT_EQ(result.counted.metrics.at("fp64_flop"), 400);
    EXPECT_GE(result.counted.seconds, 0);
  }
}

TEST_F(StudyCounts, SecondsOnTheStudysClock) {
  double now = 0;
  events.clock = [&now] { return now; };
  recorder.on_record = [&now](int) { now += 3; };
  EXPECT_DOUBLE_EQ(count("power2").counted.seconds, 9)
      << "the hardware's, the software's, and by kernel";
}

TEST_F(StudyCounts, AHostFromItsSource) {
  const Result result = run({make_variant("power2", test::right_sums, runtime)}).front();
  EXPECT_EQ(recorder.recordings, 0);
  EXPECT_EQ(result.counted.source, roofline::CountedBy::analytic);
  EXPECT_EQ(result.counted.metrics.at("fp64_flop"),
            StepCounter(problem.view()).operations({"power2", true}).flop());
}

/// A processor whose counters do as a test tells them.
struct FakeHostCounters : roofline::HostCounters {
  std::string unavailable() const override { return refusal; }
  roofline::Counted count(const roofline::CheckedRun& run) const override {
    roofline::Counted counted;
    counted.reason = refusal;
    if (refusal.empty()) {
      run.run();
      counted.reason = run.check();
    }
    if (!counted.reason.empty()) return counted;
    counted.source = roofline::CountedBy::likwid;
    counted.metrics = {{"fp64_flop", 300}, {"l2_bytes", 100}};
    return counted;
  }
  std::string refusal;
};

TEST_F(StudyCounts, AHostByHardwareWhereItCan) {
  FakeHostCounters counters;
  options.counting.host_counters = &counters;
  const auto counted = [&](Sums (*sums)(const Problem&)) {
    return run({make_variant("power2", sums, runtime)}).front().counted;
  };
  EXPECT_EQ(counted(test::right_sums).source, roofline::CountedBy::likwid);
  const roofline::Metrics metrics = counted(test::right_sums).metrics;
  EXPECT_EQ(metrics.at("fp64_flop"), 300);
  EXPECT_EQ(metrics.at("l2_bytes"), 100);
  EXPECT_FALSE(metrics.contains("dram_bytes")) << "a model does not mix with counters";

  counters.refusal = "LIKWID is not installed";
  EXPECT_EQ(counted(test::right_sums).source, roofline::CountedBy::analytic);
  EXPECT_EQ(counted(test::right_sums).reason, "LIKWID is not installed");
  EXPECT_FALSE(counted(test::right_sums).metrics.contains("l2_bytes"));

  counters.refusal.clear();
  options.counting.counters = CountersWanted::source;
  EXPECT_EQ(counted(test::right_sums).source, roofline::CountedBy::analytic);
  EXPECT_NE(counted(test::right_sums).reason.find("--counters source"), std::string::npos);
}

TEST_F(StudyCounts, ARefusalFallsBackToTheSource) {
  recorder.refusal = "no permission; ask for it";
  const Result result = count("power2");
  EXPECT_EQ(result.counted.source, roofline::CountedBy::analytic);
  EXPECT_EQ(result.counted.reason, "no permission; ask for it");
  EXPECT_GT(result.counted.metrics.at("fp64_flop"), 0);
  EXPECT_EQ(count("my_idea").counted.source, roofline::CountedBy::nobody)
      << "and there is none to fall back to";
}

TEST_F(StudyCounts, MissingCountersFallBackAndStayNamed) {
  recorder.lacking = {roofline::test::dfma};
  const Result result = count("power2");
  EXPECT_EQ(result.counted.source, roofline::CountedBy::analytic);
  EXPECT_FALSE(result.counted.missing.empty());
  EXPECT_FALSE(result.counted.counters.empty());
  EXPECT_FALSE(result.counted.metrics.contains("l1_bytes")) << "nothing mixed with the computed";
}

TEST_F(StudyCounts, DefectsAreKept) {
  recorder.defects = {"2 ranges were dropped"};
  EXPECT_EQ(count("power2").counted.defects, recorder.defects);
}

TEST_F(StudyCounts, WrongSumsInACountedRunAreFoundOut) {
  const Result result = count("power2", wrong_when_counted);
  EXPECT_EQ(result.counted.source, roofline::CountedBy::analytic);
  ASSERT_EQ(result.counted.defects.size(), 1u);
  EXPECT_NE(result.counted.defects.front().find("wrong sums"), std::string::npos);
}

TEST_F(StudyCounts, WorkThatThrowsLosesNoResult) {
  const Result result = count("power2", throws_when_counted);
  EXPECT_EQ(result.counted.source, roofline::CountedBy::analytic);
  EXPECT_NE(result.counted.reason.find("the device is gone"), std::string::npos);
}

TEST_F(StudyCounts, ALargeProblemOnASliceToo) {
  options.counting.countable_terms = problem.view().terms() / 3 + 1;
  own_g_of_runs.clear();
  const Result result = count("power2", right_and_seen);
  EXPECT_EQ(result.counted.source, roofline::CountedBy::cupti) << result.counted.reason;
  ASSERT_TRUE(result.counted.slice);
  EXPECT_EQ(result.counted.slice->part, "1 of 3 G'");
  ASSERT_EQ(own_g_of_runs.size(), first_runs + 12u)
      << "two timed ones, one sampled, nine counted ones";
  EXPECT_EQ(std::vector<int>(own_g_of_runs.begin() + first_runs + 2, own_g_of_runs.end()),
            (std::vector<int>{3, 3, 3, 3, 1, 1, 1, 3, 3, 3}));
  EXPECT_EQ(runtime.allocations, pieces_of_all() + pieces_of(*subject))
      << "the small ones, the problem and its slice";
}

TEST_F(StudyCounts, ASliceOfAllVariantsIsMadeOnce) {
  options.counting.countable_terms = problem.view().terms() - 1;
  const std::vector<Result> results = run(
      {on_gpu("power2", test::right_sums, runtime), on_gpu("factored", test::right_sums, runtime)});
  for (const Result& result : results) {
    ASSERT_TRUE(result.counted.slice);
    EXPECT_EQ(result.counted.slice->part, "2 of 3 G'");
  }
  EXPECT_EQ(runtime.allocations, pieces_of_all() + pieces_of(*subject));
}

TEST_F(StudyCounts, AProblemSmallEnoughOnTheWhole) {
  options.counting.countable_terms = problem.view().terms();
  EXPECT_FALSE(count("power2").counted.slice);
  EXPECT_EQ(runtime.allocations, pieces_of_all());
}

TEST_F(StudyCounts, WrongSumsOfTheSliceAreFoundOut) {
  options.counting.countable_terms = problem.view().terms() / 3;
  const Result result = count("power2", wrong_on_the_slice);
  EXPECT_EQ(result.counted.source, roofline::CountedBy::analytic);
  EXPECT_TRUE(result.counted.counters.empty());
  ASSERT_EQ(result.counted.defects.size(), 1u);
  EXPECT_NE(result.counted.defects.front().find("wrong sums"), std::string::npos);
}

TEST_F(StudyCounts, OnlyWhatPassed) {
  const std::vector<Result> results =
      run({on_gpu("throws", throws, runtime), on_gpu("power2", test::right_sums, runtime)});
  EXPECT_EQ(recorder.recordings, 3);
  EXPECT_EQ(results[0].counted.source, roofline::CountedBy::nobody);
  EXPECT_EQ(results[1].counted.source, roofline::CountedBy::cupti);
}

TEST_F(StudyCounts, NothingUnasked) {
  options.counting.counters = CountersWanted::off;
  const Result result = count("power2");
  EXPECT_EQ(recorder.recordings, 0);
  EXPECT_EQ(result.counted.source, roofline::CountedBy::nobody);
  EXPECT_NE(result.counted.reason.find("--counters off"), std::string::npos);
}

TEST_F(StudyCounts, AnInterruptionEndsCountingToo) {
  events.interrupted = [this] { return recorder.recordings >= 2; };
  const std::vector<Result> results = run(
      {on_gpu("power2", test::right_sums, runtime), on_gpu("factored", test::right_sums, runtime)});
  EXPECT_EQ(results[0].counted.source, roofline::CountedBy::cupti);
  EXPECT_EQ(results[1].counted.source, roofline::CountedBy::nobody);
  EXPECT_EQ(results[1].status, Status::passed);
  EXPECT_NE(results[1].counted.reason.find("interrupted"), std::string::npos);
}

// The load of others, on a machine made of files whose time passes only while variants run.

class StudyUnderLoad : public Study {
 protected:
  StudyUnderLoad() {
    events.clock = [this] { return machine.now; };
    events.load = &load;
    options.timing.time_limit = 20;
    runtime.seconds = [this](int run) {
      const bool busy = is_busy(run);
      machine.pass(1, busy ? 1 : 2, busy ? 1 : 0);
      return busy ? 2.0 : 1.0;
    };
  }
  Result only_result() { return run({make_variant("right", test::right_sums, runtime)}).front(); }

  test::FakeMachine machine;
  std::function<bool(int)> is_busy = [](int) { return false; };
  LoadMeter load{{.root = machine.root(),
                  .clock = [this] { return machine.now; },
                  .own = [this] { return machine.own; }}};
};

TEST_F(StudyUnderLoad, AQuietMachineIsTold) {
  const Result result = only_result();
  EXPECT_EQ(result.stop, Stop::stable);
  ASSERT_EQ(result.load.size(), 5u);
  for (const LoadShare& share : result.load) EXPECT_NEAR(share.others, 0, 1e-9);
  EXPECT_FALSE(result.trusted().disturbed);
}

TEST_F(StudyUnderLoad, ABusyMachineIsNotCalledStable) {
  is_busy = [](int) { return true; };
  const Result result = only_result();
  EXPECT_EQ(result.status, Status::passed) << "the load changes no verdict";
  EXPECT_EQ(result.stop, Stop::time_limit) << "all samples are equal, and none counts";
  EXPECT_EQ(result.samples.size(), 20u);
  EXPECT_NEAR(result.taken(), 0.5, 1e-9);
  EXPECT_TRUE(result.trusted().disturbed);
}

TEST_F(StudyUnderLoad, RepeatsUntilEnoughRunsAreUndisturbed) {
  is_busy = [](int run) { return run < first_runs + 10; };
  const Result result = only_result();
  EXPECT_EQ(result.stop, Stop::stable);
  EXPECT_EQ(result.samples.size(), 15u) << "ten disturbed ones stay in the record";
  EXPECT_EQ(result.trusted().samples, std::vector<double>(5, 1.0));
  EXPECT_EQ(result.timing().median, 1.0);
  EXPECT_FALSE(result.trusted().disturbed);
}

TEST_F(StudyUnderLoad, AFixedNumberOfRunsIsMarkedOnly) {
  is_busy = [](int) { return true; };
  options.timing.repeat = 3;
  const Result result = only_result();
  EXPECT_EQ(result.stop, Stop::repeats);
  EXPECT_EQ(result.samples.size(), 3u);
  EXPECT_TRUE(result.trusted().disturbed);
}

TEST_F(Study, MeasuresTheHostsClockWhereItIsTold) {
  options.timing.repeat = 2;
  events.host_clock = [] { return 3141.0; };
  const std::vector<Result> results = run({make_variant("right", test::right_sums, runtime)});
  EXPECT_EQ(results.front().clocks.samples, (std::vector<double>{3141, 3141}));
}

TEST_F(Study, RecordsThreadsAndParents) {
  options.timing.repeat = 1;
  Variant serial = make_variant("right", test::right_sums, runtime);
  serial.id = "v8";
  serial.model = "serial";
  EXPECT_EQ(run({serial}).front().threads, 1);
  serial.model = "omp";
  const Result result = run({serial}).front();
  EXPECT_GE(result.threads, 1);
  EXPECT_EQ(result.parent, "v7") << "the step before it in the catalog";
}

TEST_F(Study, FlagsRunsWithALowClock) {
  options.timing.repeat = 4;
  runtime.clock = [](int run) { return run == first_runs + 2 ? 1200.0 : 1980.0; };
  const std::vector<Result> results = run({make_variant("right", test::right_sums, runtime)});
  EXPECT_EQ(results.front().clocks.throttled, 1);
  EXPECT_EQ(results.front().clocks.samples.size(), 4u);
  EXPECT_EQ(results.front().clocks.before, 1980);
  EXPECT_EQ(results.front().clocks.after, 1980);
}

/// A clock that was tampered with, or a result that was known before, shows in a time that no
/// device can reach.
TEST(Impossible, TimesFailTheVariantThatClaimsThem) {
  StudyRecord study = test::sample_study();
  refuse_impossible(study);
  EXPECT_EQ(study.results[1].status, Status::passed) << study.results[1].reason;
  study.results[1].samples[2] = 1e-6;  // 5e8 triples of 8 FLOP: 4e15 FLOP/s
  refuse_impossible(study);
  EXPECT_EQ(study.results[0].status, Status::passed) << study.results[0].reason;
  EXPECT_EQ(study.results[1].status, Status::failed);
  EXPECT_NE(study.results[1].reason.find("impossible"), std::string::npos)
      << study.results[1].reason;
}

}  // namespace
}  // namespace gpp
