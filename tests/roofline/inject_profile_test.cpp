// From the tallies of runs to a profile: what is not known is missing, never 0.
#include <gtest/gtest.h>

#include <algorithm>

#include "roofline/inject/record.h"

namespace roofline::inject {
namespace {

constexpr const char* dfma = "sm__sass_thread_inst_executed_op_dfma_pred_on.sum";
constexpr const char* dram = "dram__bytes.sum";

KernelTally timed(std::int64_t launches, double seconds) { return {launches, seconds, {}, {}}; }
KernelTally counted(std::int64_t launches, const Counters& counters) {
  return {launches, 0, counters, {}};
}

Tally run(const std::string& name, const KernelTally& kernel) {
  Tally tally;
  tally.kernels[name] = kernel;
  tally.gpus[""] = {"NVIDIA H200", 0, 90};
  tally.processes = 1;
  tally.watched = tally.launches = kernel.launches;
  return tally;
}

/// Three runs of a kernel that ran as often in each.
Runs three_runs() {
  return {run("k", timed(2, 0.5)), run("k", counted(2, {{dram, 64}})),
          run("k", counted(2, {{dfma, 32}}))};
}

bool misses(const KernelProfile& kernel, const std::string& name, const std::string& why = "") {
  return std::any_of(kernel.missing.begin(), kernel.missing.end(), [&](const Missing& one) {
    return one.name == name && one.reason.find(why) != std::string::npos;
  });
}

bool notes(const std::vector<std::string>& all, const std::string& part) {
  return std::any_of(all.begin(), all.end(),
                     [&](const std::string& note) { return note.find(part) != std::string::npos; });
}

bool asks(const Task& task, const std::string& name) {
  return std::find(task.counters.begin(), task.counters.end(), name) != task.counters.end();
}

TEST(TaskOf, TimesTakeNoCounters) {
  Selection selection;
  selection.kernel = "a";
  const Task task = task_of(Purpose::time, selection);
  EXPECT_FALSE(task.counts());
  EXPECT_EQ(task.selection.kernel, "a");
}

TEST(TaskOf, EachRunCountsItsOwn) {
  const Task hardware = task_of(Purpose::hardware, {});
  const Task instructions = task_of(Purpose::instructions, {});
  EXPECT_TRUE(asks(hardware, dram));
  EXPECT_FALSE(asks(hardware, dfma));
  EXPECT_TRUE(asks(instructions, dfma));
  EXPECT_FALSE(asks(instructions, dram));
  EXPECT_FALSE(hardware.further.sign.empty());
  EXPECT_FALSE(hardware.further.counters.empty());
  EXPECT_TRUE(instructions.further.counters.empty());
  for (const std::string& name : hardware.further.counters)
    EXPECT_FALSE(asks(hardware, name)) << name << " would be counted twice";
}

TEST(ProfileOf, RunsComeTogether) {
  const Profile profile = profile_of("./a.out x", three_runs());
  EXPECT_EQ(profile.source, "cupti");
  EXPECT_EQ(profile.program, "./a.out x");
  EXPECT_EQ(profile.device, "NVIDIA H200");
  ASSERT_EQ(profile.kernels.size(), 1u);
  const KernelProfile& kernel = profile.kernels[0];
  EXPECT_EQ(kernel.launches, 2);
  EXPECT_EQ(kernel.seconds, 0.5);
  EXPECT_EQ(kernel.counters, (Counters{{dram, 64}, {dfma, 32}}));
  EXPECT_TRUE(kernel.missing.empty());
  EXPECT_TRUE(kernel.notes.empty());
}

TEST(ProfileOf, OtherNumbersOfLaunchesAreScaledAndSaid) {
  Runs runs = three_runs();
  runs.timed = run("k", timed(4, 1));
  runs.instructions = run("k", counted(1, {{dfma, 16}}));
  const KernelProfile kernel = profile_of("p", runs).kernels.at(0);
  EXPECT_EQ(kernel.launches, 2) << "those of the run for bytes";
  EXPECT_EQ(kernel.seconds, 0.5);
  EXPECT_EQ(kernel.counters.at(dfma), 32);
  EXPECT_EQ(kernel.counters.at(dram), 64);
  EXPECT_TRUE(notes(kernel.notes, "4 timed, 2 counted, 1 instrumented")) << kernel.notes.size();
}

TEST(ProfileOf, OnlyTimedMissesTheRest) {
  Runs runs = three_runs();
  runs.timed.kernels["rare"] = timed(1, 0.25);
  const Profile profile = profile_of("p", runs);
  const KernelProfile& rare = profile.kernels.at(1);
  EXPECT_EQ(rare.name, "rare");
  EXPECT_EQ(rare.launches, 1);
  EXPECT_TRUE(rare.counters.empty());
  for (const char* name : {"dram", "l1", "l2", "tensor_fp16", "fp64"})
    EXPECT_TRUE(misses(rare, name, "none of its launches was counted")) << name;
}

TEST(ProfileOf, OnlyCountedMissesItsTime) {
  Runs runs = three_runs();
  runs.timed.kernels.clear();
  const KernelProfile kernel = profile_of("p", runs).kernels.at(0);
  EXPECT_FALSE(kernel.seconds);
  EXPECT_TRUE(misses(kernel, "seconds", "did not run in the timed run"));
}

TEST(ProfileOf, NothingCountedIsSaid) {
  const Profile profile = profile_of("p", {three_runs().timed, {}, {}});
  EXPECT_TRUE(notes(profile.notes, "Nothing was counted"));
  EXPECT_TRUE(misses(profile.kernels.at(0), "dram"));
  EXPECT_TRUE(misses(profile.kernels.at(0), "fp64"));
}

TEST(ProfileOf, OperationsNotAskedForAreMissing) {
  Runs runs = three_runs();
  runs.instructions.reset();
  const KernelProfile kernel = profile_of("p", runs).kernels.at(0);
  EXPECT_TRUE(misses(kernel, "fp64", "--counters full counts it"));
  EXPECT_FALSE(misses(kernel, "dram"));
}

TEST(ProfileOf, LostCountersAreMissing) {
  Runs runs = three_runs();
  runs.hardware->kernels["k"] = {2, 0, {}, {dram}};
  const KernelProfile kernel = profile_of("p", runs).kernels.at(0);
  EXPECT_FALSE(kernel.counters.contains(dram));
  EXPECT_TRUE(misses(kernel, "dram", "no number for some launches"));
}

TEST(ProfileOf, SaysWhatMakesItDoubtful) {
  Runs runs = three_runs();
  runs.timed.processes = 3;
  runs.timed.gpus["b"] = {"NVIDIA A100", 1, 80};
  runs.timed.interrupted = 2;
  runs.hardware->refused = "no right";
  runs.hardware->most_passes = 9;
  runs.instructions->notes = {"a graph ran"};
  const Profile profile = profile_of("p", runs);
  for (const char* part :
       {"3 processes of the program used CUDA", "several kinds of devices",
        "NVIDIA A100, NVIDIA H200", "The run for times was interrupted",
        "The run for bytes ended early: no right", "a graph ran", "ran 9 times each"})
    EXPECT_TRUE(notes(profile.notes, part)) << part;
  EXPECT_FALSE(notes(profile_of("p", three_runs()).notes, "processes"));
}

TEST(ExpectedSeconds, InstrumentedKernelsTakeLonger) {
  const Tally tally = three_runs().timed;
  EXPECT_GT(expected_seconds(tally, Purpose::hardware), tally.seconds + 0.5);
  EXPECT_GT(expected_seconds(tally, Purpose::instructions),
            10 * expected_seconds(tally, Purpose::hardware));
}

}  // namespace
}  // namespace roofline::inject
