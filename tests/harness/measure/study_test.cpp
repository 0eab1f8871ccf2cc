// How a study runs variants: what is recorded, and what one variant's failure leaves of the others.
#include "harness/measure/study.h"

#include "gpp/study/check.h"
#include "gpp/study/record.h"
#include "harness/measure/measure.h"
#include "tests/harness/measure/fake_machine.h"
#include "tests/harness/measure/study_fixture.h"
#include "tests/harness/sample_study.h"

namespace gpp::test {
namespace {

Sums throws_no_exception(const Problem&) { throw 42; }

TEST_F(Study, RecordsWhatRan) {
  for (const Result& result : run_two_right_ones()) {
    EXPECT_EQ(result.stop, Stop::stable);
    EXPECT_EQ(result.samples.size(), 5u);
  }
  runtime.runs = 0;
  runtime.seconds = [](int n) { return 1.0 + n; };
  options.timing.repeat = 3;
  const Result result = run_one(right_sums);
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
  runtime.seconds = [](int) { return 0.0; };
  const Result timeless = run_one(right_sums);
  EXPECT_EQ(timeless.status, Status::failed);
  EXPECT_TRUE(contains(timeless.reason, "clock"));
}

TEST_F(Study, WhatFailsOrCannotRunIsOneVariantAndNotTheOthers) {
  options.timing.repeat = 4;
  FakeRuntime small, absent;
  small.kind = "gpu";
  small.place_error = "needs 5 GB, has 1 GB";
  absent.reason = "no device; install one";
  const std::vector<Result> results =
      run({make_variant("before", right_sums, runtime),
           make_variant("throws", throws, runtime),
           make_variant("odd", throws_no_exception, runtime),
           make_variant("large", right_sums, small),
           make_variant("absent", right_sums, absent),
           {"v2", "unbuilt", "fake", "", {}, "no compiler; install one"},
           make_variant("after", right_sums, runtime)});
  for (const std::size_t right : {0, 6}) {
    EXPECT_EQ(results[right].status, Status::passed) << results[right].reason;
    EXPECT_EQ(results[right].samples.size(), 4u);
  }
  const char* const reasons[] = {"out of memory on the device", "", "needs 5 GB, has 1 GB",
                                 absent.reason.c_str(), "no compiler; install one"};
  for (std::size_t i = 1; i < 6; ++i) {
    EXPECT_EQ(results[i].status, i < 4 ? Status::failed : Status::unavailable) << i;
    EXPECT_FALSE(results[i].reason.empty()) << i;
    EXPECT_TRUE(contains(results[i].reason, reasons[i - 1]));
  }
  EXPECT_EQ(absent.allocations, 0);
}

TEST_F(Study, NoTwoTimedRunsAskForTheSameSums) {
  options.timing.repeat = 6;
  static auto& seen = shared<std::array<double, 7>>();
  const auto note = [](const Problem& p) {
    static std::size_t runs = 0;
    const Sums sums = right_sums(p);
    seen.at(runs++) = sums.ach[0].re;
    return sums;
  };
  const Result result = run_one(note);
  EXPECT_EQ(result.status, Status::passed) << result.reason;
  std::ranges::sort(seen);
  const auto different = std::unique(seen.begin(), seen.end()) - seen.begin();
  EXPECT_GE(different, 4) << "of 7 draws among 125";
  EXPECT_TRUE(check(sums_of(result.answer), reference, problem.view().nfreq, 1e-10).passed)
      << "the sums recorded are those of the problem as it is";
}

TEST_F(Study, InterleavesVariantsInAnOrderDrawnForEachRound) {
  options.timing.repeat = 20;
  runtime.seconds = [](int n) { return 1.0 + n; };  // tells when a run took place
  const std::vector<Result> results = run_two_right_ones();
  const double untimed = 1.0 + 2 * first_runs;
  int a_first = 0;
  for (int round = 0; round < 20; ++round) {
    const double a = results[0].samples[round] - untimed, b = results[1].samples[round] - untimed;
    EXPECT_EQ(std::min(a, b), 2 * round) << "each once in every round";
    EXPECT_EQ(std::max(a, b), 2 * round + 1);
    a_first += a < b;
  }
  EXPECT_GT(a_first, 0) << "one of a million studies has one order throughout";
  EXPECT_LT(a_first, 20);
}

TEST_F(Study, TheTimeLimitIsSharedAndTheSlowDoNotEatIt) {
  double& now = shared<double>();
  events.clock = [&now] { return now; };
  runtime.seconds = [&now](int n) {  // noisy, so that no median is stable
    now += 1;
    return 1.0 + 0.5 * (n % 3);
  };
  options.timing.time_limit = 20;
  const std::vector<Result> results = run_two_right_ones();
  for (const Result& result : results) {
    EXPECT_EQ(result.stop, Stop::time_limit);
    EXPECT_EQ(result.samples.size(), 9u) << "ten seconds each, and the first run is no sample";
  }
}

/// The first run is on the problem as it is, as in every study: who keeps results has that one.
TEST_F(Study, AFirstRunIsNoSampleHoweverLong) {
  double& now = shared<double>();
  events.clock = [&now] { return now; };
  runtime.seconds = [&now](int n) {
    now += 50;
    return n == first_runs - 1 ? 60.0 : 50.0;
  };
  for (const double limit : {20.0, 0.0}) {
    runtime.runs = 0;
    options.timing.time_limit = limit;
    const Result result = run({make_variant("slow", right_sums, runtime)}).front();
    EXPECT_EQ(result.samples, (std::vector<double>{50}));
    EXPECT_EQ(result.stop, Stop::time_limit);
    EXPECT_EQ(runtime.runs, first_runs + 1);
  }
}

TEST_F(Study, KeepsARecordAfterEveryStep) {
  options.timing.repeat = 2;
  int records = 0;
  bool complete = true;
  events.recorded = [&](const std::vector<Result>& results, bool /*all_timed*/) {
    ++records;
    complete = complete && results.size() == 2;
  };
  run({make_variant("throws", throws, runtime), make_variant("right", right_sums, runtime)});
  EXPECT_GE(records, 5) << "start, two first runs, two rounds";
  EXPECT_TRUE(complete) << "variants that have not run yet are in it too";
}

TEST_F(Study, AnInterruptionKeepsWhatIsThereAndLeavesTheRestNotRun) {
  options.timing.repeat = 100;
  events.interrupted = [this] { return runtime.runs >= 2 * first_runs + 4; };
  std::vector<Result> results = run_two_right_ones();
  EXPECT_EQ(results[0].samples.size() + results[1].samples.size(), 4u);
  EXPECT_EQ(results[0].status, Status::passed);
  runtime.runs = 0;
  events.interrupted = [this] { return runtime.runs >= first_runs; };
  results = run_two_right_ones();
  EXPECT_EQ(results[0].status, Status::passed);
  EXPECT_EQ(results[1].status, Status::unavailable);
  EXPECT_TRUE(contains(results[1].reason, "not run"));
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
  FakeMachine machine;
  std::function<bool(int)> is_busy = [](int) { return false; };
  LoadMeter load{{.root = machine.root(),
                  .clock = [this] { return machine.now; },
                  .own = [this] { return machine.own; }}};
};

TEST_F(StudyUnderLoad, ABusyMachineIsNotCalledStable) {
  Result result = run_one(right_sums);
  EXPECT_EQ(result.stop, Stop::stable);
  ASSERT_EQ(result.load.size(), 5u);
  for (const LoadShare& share : result.load) EXPECT_NEAR(share.others, 0, 1e-9);
  EXPECT_FALSE(result.trusted().disturbed);
  is_busy = [](int) { return true; };
  result = run_one(right_sums);
  EXPECT_EQ(result.status, Status::passed) << "the load changes no verdict";
  EXPECT_EQ(result.stop, Stop::time_limit) << "all samples are equal, and none counts";
  EXPECT_EQ(result.samples.size(), 19u);
  EXPECT_NEAR(result.taken().value(), 0.5, 0.01) << "less the worker's own time";
  EXPECT_TRUE(result.trusted().disturbed);
  options.timing.repeat = 3;
  result = run_one(right_sums);
  EXPECT_EQ(result.stop, Stop::repeats);
  EXPECT_EQ(result.samples.size(), 3u);
  EXPECT_TRUE(result.trusted().disturbed);
}

TEST_F(StudyUnderLoad, RepeatsUntilEnoughRunsAreUndisturbed) {
  is_busy = [](int run) { return run < first_runs + 10; };
  const Result result = run_one(right_sums);
  EXPECT_EQ(result.stop, Stop::stable);
  EXPECT_EQ(result.samples.size(), 15u) << "ten disturbed ones stay in the record";
  EXPECT_EQ(result.trusted().samples, std::vector<double>(5, 1.0));
  EXPECT_EQ(result.timing().median, 1.0);
  EXPECT_FALSE(result.trusted().disturbed);
}

/// A load that is not known, on a machine that tells of loads, is no quiet.
TEST_F(StudyUnderLoad, ALoadThatIsNotKnownIsNotQuiet) {
  runtime.seconds = [this](int run) {
    const bool known = run % 2 == 0;
    machine.pass(1, known ? 2 : -1, 0);
    return known ? 1.0 : 2.0;
  };
  Result result = run_one(right_sums);
  EXPECT_EQ(result.stop, Stop::stable);
  EXPECT_EQ(result.trusted().samples, std::vector<double>(5, 1.0));
  EXPECT_FALSE(result.trusted().disturbed);
  runtime.seconds = [this](int) {
    machine.pass(1, -1, 0);
    return 1.0;
  };
  result = run_one(right_sums);
  EXPECT_EQ(result.stop, Stop::stable) << "where no load is ever known, times stand";
  EXPECT_EQ(result.samples.size(), 5u);
}

TEST_F(Study, FlagsRunsWithALowClock) {
  options.timing.repeat = 4;
  events.host_clock = [] { return 3141.0; };
  EXPECT_EQ(run_one(right_sums).clocks.samples, std::vector<double>(4, 3141)) << "of the host";
  events.host_clock = {};
  runtime.runs = 0;
  runtime.clock = [](int run) { return run == first_runs + 2 ? 1200.0 : 1980.0; };
  const Result result = run_one(right_sums);
  EXPECT_EQ(result.clocks.throttled, 1);
  EXPECT_EQ(result.clocks.samples.size(), 4u);
  EXPECT_EQ(result.clocks.before, 1980);
  EXPECT_EQ(result.clocks.after, 1980);
}

/// A clock that was tampered with, or a result that was known before, shows in a time that no
/// device can reach.
TEST(Impossible, TimesFailTheVariantThatClaimsThem) {
  StudyRecord study = sample_study();
  refuse_impossible(study);
  EXPECT_EQ(study.results[1].status, Status::passed) << study.results[1].reason;
  study.results[1].samples[2] = 1e-6;  // 5e8 triples of 8 FLOP: 4e15 FLOP/s
  refuse_impossible(study);
  EXPECT_EQ(study.results[0].status, Status::passed) << study.results[0].reason;
  EXPECT_EQ(study.results[1].status, Status::failed);
  EXPECT_TRUE(contains(study.results[1].reason, "impossible"));
}

TEST(Impossible, MoreThanARoofFailsWhatHardwareCounted) {
  StudyRecord study = sample_study();
  Result& result = study.results[1];
  result.kind = "host";
  const double roof = *study.ceilings.front().find("fp64_fma")->theoretical;
  const auto status = [&](roofline::CountedBy source, double share) {
    result.status = Status::passed;
    result.counted.source = source;
    result.counted.metrics["fp64_flop"] = share * roof * result.timing().median;
    refuse_impossible(study);
    return result.status;
  };
  EXPECT_EQ(status(roofline::CountedBy::cupti, 1.09), Status::passed) << result.reason;
  EXPECT_EQ(status(roofline::CountedBy::analytic, 1.5), Status::passed)
      << "its source states so many, which proves nothing: " << result.reason;
  EXPECT_EQ(status(roofline::CountedBy::cupti, 1.11), Status::failed);
  EXPECT_TRUE(contains(result.reason, "hardware counted")) << result.reason;
}

}  // namespace
}  // namespace gpp::test
