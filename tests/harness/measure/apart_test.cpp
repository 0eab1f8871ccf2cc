// Variants in processes of their own: whatever one does, it hurts itself alone and is named.
#include "harness/measure/apart.h"

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <set>
#include <thread>

#include "runtimes/runtime.h"
#include "tests/harness/measure/study_fixture.h"
#include "tests/roofline/fake_recorder.h"

namespace gpp::test {
namespace {

/// Facts that variants tell the test, whatever process they run in.
struct Told {
  std::atomic<int> calls, spins, spins_of_others;
  std::atomic<pid_t> process;
};

Told& told() {
  static Told& all = shared<Told>();
  return all;
}

void wait_for(double seconds) {
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
}

bool runs(pid_t process) {
  std::ifstream status("/proc/" + std::to_string(process) + "/stat");
  std::string number, name, state;
  status >> number >> name >> state;
  return status.good() && state != "Z";
}

class StudyApart : public Study {
 protected:
  StudyApart() {
    std::memset(static_cast<void*>(&told()), 0, sizeof(Told));
    options.longest_run = 20;
    options.timing.repeat = 3;
    options.counting.counters = CountersWanted::off;
  }

  /// Beside two that do what they should, one of which runs behind it.
  Result beside_others(VariantFunction function, const Runtime& on = host_runtime()) {
    const std::vector<Result> results =
        run({make_variant("before", right_sums, on), make_variant("bad", function, on),
             make_variant("behind", right_sums, on)});
    for (const std::size_t other : {0, 2}) {
      EXPECT_EQ(results[other].status, Status::passed) << results[other].reason;
      EXPECT_EQ(results[other].samples.size(), 3u);
    }
    return results[1];
  }
  void expect_failed(VariantFunction function, const std::string& words,
                     const Runtime& on = host_runtime()) {
    const Result result = beside_others(function, on);
    EXPECT_EQ(result.status, Status::failed);
    EXPECT_TRUE(contains(result.reason, words));
  }
};

Sums tells_its_process(const Problem& problem) {
  told().process = getpid();
  ++told().calls;
  return right_sums(problem);
}

// ---- Energy -------------------------------------------------------------------------------------

Sums goes_wrong_late(const Problem& problem) {
  Sums sums = right_sums(problem);
  if (++told().calls > first_runs + 3) sums.ach[0].re += 1;
  return sums;
}

class EnergyApart : public StudyApart {
 protected:
  EnergyApart() {
    events.energy = [this](const Runtime&) -> EnergyMeter& { return meter; };
  }
  std::atomic<int> asked = 0;
  EnergyMeter meter{
      EnergySources{{[this]() -> std::optional<double> { return ++asked * 0.5; }, {}}, {}, {}},
      EnergyRule{.updates = 5, .least = 0.2, .warm_up = 0, .idle = 0.05}};
};

TEST_F(EnergyApart, AVariantRunsBackToBackAndItsLastAnswerIsChecked) {
  const Result result = beside_others(tells_its_process);
  ASSERT_TRUE(result.energy && result.energy->known()) << result.reason;
  EXPECT_GT(result.energy->runs, 10);
  EXPECT_EQ(result.samples.size(), 3u) << "these runs are no samples";
  EXPECT_GE(told().calls, result.energy->runs + first_runs + 3);
  EXPECT_GE(result.energy->run_seconds * result.energy->runs, 0.2);
  told().calls = 0;
  expect_failed(goes_wrong_late, "while its energy was measured");
}

Sums ends_well(const Problem&) { exit(0); }
Sums ends_at_once(const Problem&) { _exit(3); }
Sums crashes(const Problem&) {
  std::signal(SIGSEGV, SIG_DFL);
  raise(SIGSEGV);
  return {};
}

Sums writes(const Problem& problem) {
  const Sums sums = right_sums(problem);
  const_cast<Complex*>(problem.aqsntemp.data)[0].re += 1;
  return sums;
}

/// Also on a device that cannot be used behind a fork, with copies in its own memory.
TEST_F(StudyApart, WhoEndsTheProgramOrWritesToItsInputIsNamed) {
  runtime.kind = "gpu";
  for (const Runtime* on : {&host_runtime(), static_cast<const Runtime*>(&runtime)}) {
    expect_failed(writes, "writes to its input (aqsntemp)", *on);
    expect_failed(ends_well, "in its first run: ended the program (exit status 0)", *on);
    expect_failed(crashes, "crashed (signal 11)", *on);
  }
  expect_failed(ends_at_once, "ended the program (exit status 3)");
}

Sums prints(const Problem& problem) {
  std::printf("of no interest\n");
  std::fflush(stdout);
  std::fprintf(stderr, "of some\n");
  return right_sums(problem);
}

TEST_F(StudyApart, WhatAVariantPrintsIsKeptFromOurOutputAndShown) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  const Result result = beside_others(prints);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_TRUE(contains(testing::internal::GetCapturedStderr(),
                       "a variant printed:\nof no interest\nof some\n"));
  EXPECT_EQ(result.status, Status::passed) << result.reason;
}

Sums hangs(const Problem&) {
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, nullptr);
  told().process = getpid();
  for (;;) wait_for(1);
}

TEST_F(StudyApart, WhoHangsIsEndedWhateverSignalsItBlocks) {
  options.longest_run = 1;
  expect_failed(hangs, "did not end in 1 s");
  EXPECT_FALSE(runs(told().process));
  options.longest_run = 20;
  const auto start = std::chrono::steady_clock::now();
  events.interrupted = [&start] {
    return std::chrono::steady_clock::now() - start > std::chrono::seconds(1);
  };
  const std::vector<Result> results = run({make_variant("hangs", hangs, host_runtime()),
                                           make_variant("behind", right_sums, host_runtime())});
  EXPECT_FALSE(runs(told().process));
  for (const Result& result : results) {
    EXPECT_EQ(result.status, Status::unavailable);
    EXPECT_TRUE(contains(result.reason, "not run"));
  }
}

Sums leaves_a_thread(const Problem& problem) {
  static const bool once = [] {
    std::thread([] {
      for (;; ++told().spins) {
      }
    }).detach();
    return true;
  }();
  static_cast<void>(once);
  return right_sums(problem);
}
Sums sees_who_spins(const Problem& problem) {
  const int before = told().spins;
  wait_for(0.01);
  told().spins_of_others += told().spins - before;
  ++told().calls;
  return right_sums(problem);
}

TEST_F(StudyApart, AThreadLeftBehindStandsStillWhileOthersRun) {
  const std::vector<Result> results = run({make_variant("spins", leaves_a_thread, host_runtime()),
                                           make_variant("sees", sees_who_spins, host_runtime())});
  EXPECT_EQ(results[0].status, Status::passed) << results[0].reason;
  EXPECT_EQ(results[1].status, Status::passed) << results[1].reason;
  EXPECT_GT(told().spins, 0);
  EXPECT_EQ(told().calls, first_runs + 3);
  EXPECT_EQ(told().spins_of_others, 0);
}

// ---- A device that cannot be used behind a fork: copies in its own memory -----------------------

class StudyOnADevice : public StudyApart {
 protected:
  StudyOnADevice() { runtime.kind = "gpu"; }
  Variant on_device(const std::string& step, VariantFunction function) const {
    return make_variant(step, function, runtime);
  }
};

TEST_F(StudyOnADevice, RunsOnCopiesInItsProcess) {
  const std::vector<Result> results =
      run({on_device("right", tells_its_process), on_device("other", right_sums)});
  for (const Result& result : results) {
    EXPECT_EQ(result.status, Status::passed) << result.reason;
    EXPECT_EQ(result.samples.size(), 3u);
    EXPECT_EQ(result.samples.front(), 0.5) << "the device's own clock tells";
    ASSERT_EQ(result.launches.size(), 1u);
    EXPECT_EQ(result.launches.front().kernel, "fake");
  }
  EXPECT_EQ(told().calls, first_runs + 3);
  EXPECT_NE(told().process, getpid());
  EXPECT_FALSE(runs(told().process));
  EXPECT_EQ(runtime.allocations, 2 * pieces_of(*subject)) << "the study itself has nothing there";
}

/// A run of a short variant follows one on the problem of before.
TEST_F(StudyOnADevice, WarmsTheDeviceForShortRuns) {
  for (const double seconds : {0.5, 0.001}) {
    runtime.seconds = [seconds](int) { return seconds; };
    told().calls = 0;
    EXPECT_EQ(run({on_device("right", tells_its_process)}).front().status, Status::passed);
    EXPECT_EQ(told().calls, seconds < 0.01 ? 2 * (first_runs + 3) - 1 : first_runs + 3)
        << "before the first run there was none";
  }
}

Sums writes_late(const Problem& problem) {
  return ++told().calls < 3 ? right_sums(problem) : writes(problem);
}

TEST_F(StudyOnADevice, WhoWritesLaterSpoilsItsOwnCopyAlone) {
  options.timing.repeat = 20;
  const std::vector<Result> results =
      run({on_device("late", writes_late), on_device("right", right_sums)});
  EXPECT_TRUE(contains(results[0].reason, "writes to its input (aqsntemp)"));
  EXPECT_EQ(results[1].status, Status::passed) << results[1].reason;
  EXPECT_EQ(results[1].samples.size(), 20u);
}

/// Each starts again at its turn: on a card that takes one process, and on one whose memory holds
/// two of fourteen.
TEST_F(StudyOnADevice, WorkersTakeTurnsWhereThereIsNoRoomForAll) {
  roofline::test::FakeRecorder recorder;
  options.counting.recorder = &recorder;
  options.counting.counters = CountersWanted::automatic;
  std::vector<Variant> variants;
  while (variants.size() < 14) variants.push_back(on_device("right", right_sums));
  for (const int room : {1, 2}) {
    runtime.room = room;
    runtime.most_processes = 0;
    for (const Result& result : run(variants)) {
      EXPECT_EQ(result.status, Status::passed) << result.reason;
      EXPECT_EQ(result.samples.size(), 3u);
      EXPECT_TRUE(roofline::is_hardware(result.counted.source)) << result.counted.reason;
    }
    EXPECT_EQ(runtime.most_processes, room);
  }
}

Sums wrong_when_counted(const Problem& problem) {
  Sums sums = right_sums(problem);
  if (++told().calls > first_runs + 4) sums.asx[0].re += 1;
  return sums;
}

TEST_F(StudyOnADevice, IsCountedThereAndJudgedHere) {
  roofline::test::FakeRecorder recorder;
  options.counting.recorder = &recorder;
  options.counting.counters = CountersWanted::automatic;
  options.counting.countable_terms = 60;  // of one of the three G'
  const std::vector<Result> results =
      run({on_device("right", right_sums), on_device("wrong", wrong_when_counted)});
  EXPECT_TRUE(roofline::is_hardware(results[0].counted.source)) << results[0].counted.reason;
  EXPECT_GT(results[0].counted.passes, 0);
  EXPECT_EQ(results[1].status, Status::passed) << results[1].reason;
  EXPECT_TRUE(contains(results[1].counted.reason, "in a counted run: asx at frequency 1"));
}

/// The program is started anew, as for a GPU, with the variant that its catalog has.
TEST(ApartProgram, ServesTheVariantThatItIsAskedFor) {
  const auto subject =
      subject_of(random_input({.name = "few", .ncouls = 9, .ngpown = 3, .nbands = 5}, 1));
  const Variant& variant = catalog().front();
  ASSERT_EQ(variant.model, "serial");
  Apart apart(host_runtime(), {20, {}, true});
  const auto employ = [&](const std::string& id) -> const Build& {
    return apart.employ(variant.builds.front(), WorkerProgram{.kernel = "gpp",
                                                              .variant = id,
                                                              .model = "serial",
                                                              .kind = "host",
                                                              .program = GPP_BINARY_DIR "/gpp"});
  };
  const Build &there = employ(variant.id), &unknown = employ("nobody");
  Stage stage(*subject);
  for (const std::uint64_t seed : {std::uint64_t{0}, std::uint64_t{5}}) {
    const Tried tried = stage.run(variant, there, seed, 1e-10);
    EXPECT_TRUE(tried.check.passed) << tried.check.reason;
    EXPECT_GT(tried.seconds, 0);
    EXPECT_EQ(stage.on(apart).repair(), "");
  }
  EXPECT_THROW(stage.run(variant, unknown, 0, 1e-10), std::runtime_error);

  // It counts as well. Here it can't, and says why; then a new process serves.
  const roofline::Counted counted = apart.count(variant, there, {.work = "it"}, {&stage}, 1e-10);
  EXPECT_EQ(counted.source, roofline::CountedBy::nobody);
  EXPECT_NE(counted.reason, "");
  const Tried tried = stage.run(variant, there, 0, 1e-10);
  EXPECT_TRUE(tried.check.passed) << tried.check.reason;
}

// ---- One variant on many inputs -----------------------------------------------------------------

/// On the first of two small inputs; the second has the same verdict.
Check verdict_of(VariantFunction function) {
  static const FakeRuntime runtime;
  const CheckInput small{"small", "a small one",
                         [] { return subject_of(random_input({.name = "small"}, 1)); }};
  const Variant variant = make_variant("tried", function, runtime);
  const std::vector<Check> verdicts = check_on({small, small}, choose(variant), 1e-10, 2);
  EXPECT_EQ(verdicts.size(), 2u);
  EXPECT_EQ(verdicts.back().passed, verdicts.front().passed);
  return verdicts.front();
}

/// The right sums of the first problem that it saw.
Sums first_answer(const Problem& problem) {
  static const Sums first = right_sums(problem);
  return first;
}

TEST(CheckInputs, FailsWhatIsThrownKeptOrWrittenAndNamesABadEnd) {
  const Check right = verdict_of(right_sums);
  EXPECT_TRUE(right.passed) << right.reason;
  EXPECT_LE(right.max_relative_error, 1e-10);
  const Check thrown = verdict_of(throws);
  EXPECT_EQ(thrown.reason, "out of memory on the device");
  EXPECT_TRUE(std::isinf(thrown.max_relative_error));
  for (const auto& [function, reason] :
       {std::pair<VariantFunction, const char*>(first_answer, "in a second run, varied"),
        {writes, "writes to its input (aqsntemp)"},
        {crashes, "crashed (signal 11)"},
        {ends_at_once, "ended the program (exit status 3)"},
        {hangs, "did not end in 2 s"}}) {
    const Check verdict = verdict_of(function);
    EXPECT_FALSE(verdict.passed);
    EXPECT_TRUE(contains(verdict.reason, reason));
  }
}

TEST(CheckInputs, OfEveryKernelHaveDifferentNamesAndAMeaning) {
  for (const Kernel* kernel : kernels()) {
    ASSERT_NE(kernel->check_inputs, nullptr) << kernel->name;
    std::set<std::string> names;
    for (const CheckInput& input : kernel->check_inputs()) {
      EXPECT_FALSE(input.meaning.empty()) << input.name;
      EXPECT_EQ(input.name.find(','), std::string::npos) << "names are joined by commas";
      EXPECT_TRUE(names.insert(input.name).second) << input.name;
    }
    EXPECT_GT(names.size(), 5u) << kernel->name;
  }
}

}  // namespace
}  // namespace gpp::test
