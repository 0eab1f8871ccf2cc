// Tests of the recorder in a program's own process, with a fake driver and CUPTI (fake_cuda/):
// exact counts, samples and instructions; clean ends after refusals and exceptions; wrong data;
// messages.
#include "roofline/recorder.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <set>
#include <tuple>
#include <utility>

#include "roofline/cupti/api.h"
#include "roofline/line_recorder.h"
#include "tests/roofline/fake_cuda/fake.h"
#include "tests/text.h"

namespace roofline::cupti {
namespace {

using namespace gpp::test;

constexpr const char* dram = "dram__bytes.sum";
constexpr const char* of_tensor_cores = "sm__ops_path_tensor_src_fp16.sum";  // takes nine passes
constexpr const char* half_adds = "sm__sass_thread_inst_executed_op_hadd_pred_on.sum";
const std::string stall = "smsp__pcsamp_warps_issue_stalled_";

/// A kernel that no other test launches, because a first launch counts. Its size is its number.
std::string new_kernel(int size = 1) {
  static int kernels = 0;
  return "kernel" + std::string(static_cast<std::size_t>(++kernels), 'x') + std::to_string(size);
}

class FakeGpu : public testing::Test {
 protected:
  FakeGpu() {
    setenv("CUPTI_PATH", FAKE_CUDA_ROOT, 1);
    fake_context(0);
  }
  void TearDown() override {
    refuse("");
    say("");
    EXPECT_EQ(dram_of({"k3"}), 3 * 6400) << "something is left on";
  }
  static void refuse(const std::string& function) {
    setenv("FAKE_CUPTI_REFUSES", function.c_str(), 1);
  }
  static void say(const char* what) { setenv("FAKE_CUPTI_SAYS", what, 1); }

  static Work launching(const std::vector<const char*>& kernels) {
    return {"work", [kernels] {
              for (const char* kernel : kernels) fake_launch(kernel);
            }};
  }
  static Recording record(const Work& work, const Texts& names = {dram}) {
    return cupti_recorder().record(names, work);
  }
  static double dram_of(const std::vector<const char*>& kernels) {
    return record(launching(kernels)).counters.at(dram);
  }
  static Recording apart(const Work& work, const Texts& names = {dram}) {
    return cupti_recorder().record_kernels(names, work);
  }
  /// A kernel's samples, where it was first launched as the warm-up.
  static RecordedCode sample(const std::string& kernel, int launches = 1) {
    return attach_line_recorder(LineMode::samples)
        ->sample(11, {[&] { fake_launch(kernel.c_str()); },
                      [&] {
                        for (int i = 0; i < launches; ++i) fake_launch(kernel.c_str());
                      }});
  }
  static RecordedCode count(const std::string& kernel) {
    return attach_line_recorder(LineMode::instructions)->count([&] {
      fake_launch(kernel.c_str());
    });
  }
  template <class Action>
  static std::string refusal(const Action& action) {
    return thrown<RecorderError>([&] { action(); });
  }
};

TEST_F(FakeGpu, CountsTheWorkOncePerPassWithoutResetAndCheck) {
  int runs = 0, resets = 0, checks = 0;
  Work work{"work",
            [&] {
              ++runs;
              for (const char* kernel : {"k3", "tensor2", "k3"}) fake_launch(kernel);
            },
            [&] {
              ++resets;
              fake_launch("k7");
            },
            [&] {
              ++checks;
              fake_launch("k9");
            }};
  const Recording recording = record(work, {dram, of_tensor_cores});
  EXPECT_EQ(recording.counters, (Counters{{dram, 8 * 6400}, {of_tensor_cores, 2 * 4096}}));
  EXPECT_EQ(recording.passes, 9);
  EXPECT_EQ(std::set({runs, resets, checks}), std::set{9});
  EXPECT_TRUE(recording.missing.empty() && recording.defects.empty());
}

TEST_F(FakeGpu, WhatCannotBeCountedOrIsNoNumberIsMissing) {
  const Recording recording =
      record(launching({"nan2"}), {"none.sum", dram, "uncountable.sum", half_adds, "dram"});
  EXPECT_EQ(recording.counters, (Counters{{half_adds, 0}}));
  std::string missing;
  for (const Missing& one : recording.missing) missing += one.name + ": " + one.reason + "\n";
  EXPECT_EQ(missing,
            "none.sum: FAKE100 has no such counter\ndram: FAKE100 has no such counter\n"
            "uncountable.sum: CUPTI cannot count it on FAKE100\n"
            "dram__bytes.sum: CUPTI gave no number for work\n");
  const auto fails = [] { FAIL() << "ran for nothing"; };
  EXPECT_EQ(record({"work", fails}, {"none.sum"}).passes, 0);
}

TEST_F(FakeGpu, NoKernelAndPassesWithoutEndAreErrors) {
  EXPECT_TRUE(contains(refusal([] { record(launching({})); }), "recorded nothing"));
  say("more");
  EXPECT_TRUE(contains(refusal([] { dram_of({"k1"}); }), "still asked for more"));
}

TEST_F(FakeGpu, WorkOrResetThatThrowsLeavesNothingOn) {
  struct Failed {};
  int runs = 0;
  const auto fails_later = [&runs] {
    fake_launch("k1");
    if (++runs == 2) throw Failed{};
  };
  EXPECT_THROW(record({"work", fails_later}, {of_tensor_cores}), Failed);
  EXPECT_EQ(dram_of({"k2"}), 2 * 6400);
  EXPECT_THROW(apart({"work", [] { throw Failed{}; }}), Failed);
  EXPECT_EQ(dram_of({"k2"}), 2 * 6400);
  EXPECT_THROW(record({"work", [] {}, [] { throw Failed{}; }}), Failed);
  EXPECT_THROW(attach_line_recorder(LineMode::samples)->sample(11, {[] {}, [] { throw Failed{}; }}),
               Failed);
  EXPECT_THROW(attach_line_recorder(LineMode::instructions)->count([] { throw Failed{}; }), Failed);
}

TEST_F(FakeGpu, KernelsAreCountedApart) {
  const Recording recording = apart(launching({"_Z1fi", "k3", "_Z1fi"}), {dram, half_adds});
  EXPECT_EQ(recording.passes, 1);
  ASSERT_EQ(recording.kernels.size(), 2u);
  EXPECT_EQ(recording.kernels[0].name, "f(int)");
  EXPECT_EQ(recording.kernels[0].launches, 2);
  EXPECT_EQ(recording.kernels[0].counters.at(dram), 2 * 6400);
  EXPECT_EQ(recording.kernels[1].counters.at(dram), 3 * 6400);
  EXPECT_EQ(recording.counters.at(dram), 5 * 6400);
  const Recording lost = apart(launching({"nan2"}), {dram, half_adds});
  EXPECT_EQ(lost.kernels.at(0).counters, (Counters{{half_adds, 0}}));
  EXPECT_EQ(only(lost.missing).name, dram);
}

TEST_F(FakeGpu, WhatCannotBeToldApartIsRefused) {
  EXPECT_TRUE(contains(refusal([] { apart(launching({"k1", "lost"})); }), "1 of 2 launches"));
  EXPECT_TRUE(contains(refusal([] { apart(launching(std::vector<const char*>(257, "k1"))); }),
                       "257 launches; 256 are the most"));
  EXPECT_TRUE(contains(refusal([] {
                         apart({"work", [] { fake_launch_graph("k1"); }});
                       }),
                       "CUDA graphs"));
  int runs = 0;
  const Work differs = {"work", [&runs] { fake_launch(++runs == 2 ? "k2" : "k1"); }};
  EXPECT_TRUE(contains(refusal([&] { apart(differs, {of_tensor_cores}); }), "other kernels"));
}

/// The fake refuses whoever comes while something of a refused call is still on.
TEST_F(FakeGpu, EveryRefusalNamesItsCallAndTheRemedyAndLeavesNothingOn) {
  const auto counts = [] { record(launching({"k1"}), {dram, half_adds}); };
  const auto parts = [] { apart(launching({"k1"})); };
  const auto samples = [] { sample(new_kernel()); };
  const auto instructions = [] { count("k1"); };
  const Texts listens = {"Subscribe", "EnableCallback"};
  const std::tuple<std::function<void()>, std::string, Texts> actions[] = {
      {counts, "cuptiProfiler", {"Initialize", "DeviceSupported"}},
      {parts, "cupti", listens},
      {samples, "cupti", listens},
      {instructions, "cupti", listens},
      {instructions, "cupti", {"ProfilerInitialize"}},
      {counts,
       "cuptiRangeProfiler",
       {"Enable", "GetCounterDataSize", "CounterDataImageInitialize", "Start", "PushRange",
        "PopRange", "Stop", "DecodeData", "GetCounterDataInfo"}},
      {parts, "cuptiRangeProfiler", {"Enable", "Start", "Stop", "DecodeData"}},
      {samples,
       "cuptiPCSampling",
       {"Enable", "GetNumStallReasons", "GetStallReasons", "SetConfigurationAttribute", "Start",
        "Stop", "GetData", "Disable"}},
      {instructions,
       "cuptiSassMetrics",
       {"SetConfig", "Enable", "GetDataProperties", "FlushData", "Disable", "UnsetConfig"}}};
  for (const auto& [action, family, functions] : actions)
    for (const std::string& function : functions) {
      refuse(family + function);
      EXPECT_TRUE(
          contains_all(refusal(action), {family + function + ": error", "in the fake's words",
                                         "NVreg_RestrictProfilingToAdminUsers=0"}));
      refuse("");
      EXPECT_EQ(refusal(action), "") << function;
    }
}

TEST_F(FakeGpu, ADeviceThatCannotBeProfiledIsRefused) {
  say("unsupported");
  EXPECT_TRUE(contains(cupti_recorder().unavailable(), "this GPU, system or program cannot"));
}

TEST_F(FakeGpu, SamplesAndCountsOfInstructions) {
  const std::string kernel = new_kernel(2);
  RecordedCode code = sample(kernel, 2);
  ASSERT_EQ(code.instructions.size(), 2u);
  EXPECT_EQ(code.instructions[0].function, kernel);
  EXPECT_EQ(code.instructions[0].stalls, (Events{{"long_scoreboard", 12}}))
      << "the warm-up is not sampled, and the twin counts the same samples again";
  EXPECT_EQ(code.instructions[1].offset, 16u);
  EXPECT_EQ(code.instructions[1].stalls, (Events{{"selected", 4}}));
  EXPECT_EQ(code.period, 11);
  EXPECT_TRUE(code.lost.empty());
  EXPECT_TRUE(code.cubins.contains(code.instructions[0].cubin));
  code = count(kernel);
  ASSERT_EQ(code.instructions.size(), 2u);
  EXPECT_EQ(code.instructions[0].counts, (Events{{"warp_instructions", 64},
                                                 {"thread_instructions", 2048},
                                                 {"thread_instructions_pred_on", 2048},
                                                 {"ideal_sectors", 2 * 2048}}));
  EXPECT_EQ(code.counted.size(), 4u);
  EXPECT_TRUE(contains(code.lost.at(0), "sectors: FAKE100 does not count them"));
  EXPECT_FALSE(code.cubins.empty()) << "a module that was loaded before";
  EXPECT_TRUE(contains(refusal([] { sample(new_kernel(), 0); }), "not one instruction"));
}

TEST_F(FakeGpu, SamplesBecomeCountersByKernel) {
  const std::string f = new_kernel(2), g = new_kernel(5);
  const Texts names = {stall + "selected", stall + "long_scoreboard", stall + "gmma"};
  const Recording recording = cupti_recorder().sample(names, launching({f.c_str(), g.c_str()}));
  ASSERT_EQ(recording.kernels.size(), 2u);
  EXPECT_EQ(recording.kernels[0].counters, (Counters{{names[0], 2}, {names[1], 6}}));
  EXPECT_EQ(recording.kernels[1].counters, (Counters{{names[0], 5}, {names[1], 15}}));
  EXPECT_EQ(only(recording.missing).name, stall + "gmma");
  EXPECT_EQ(only(cupti_recorder().sample(names, launching({})).missing).name, "stalls");
}

TEST_F(FakeGpu, NoNumberThatDoesNotFitIsBelieved) {
  const std::pair<const char*, const char*> refused[] = {{"more", "do not end"},
                                                         {"attribute", "Attribute"}};
  for (const auto& [what, message] : refused) {
    say(what);
    EXPECT_TRUE(contains(refusal([] { sample(new_kernel()); }), message)) << what;
  }
  say("many");
  EXPECT_EQ(sample(new_kernel()).instructions.back().stalls, (Events{{"selected", 1}}));
  say("full");
  EXPECT_TRUE(contains(only(sample(new_kernel()).lost), "ran full"));
  say("dropped");
  EXPECT_EQ(sample(new_kernel()).dropped, 17u);
  EXPECT_TRUE(contains(count("k1").lost.back(), "dropped 12 records"));
  say("no memory");
  EXPECT_TRUE(contains(refusal([] { sample(new_kernel()); }), "not one instruction"));
}

TEST(Errors, OfEachKindHaveTheirRemedy) {
  std::set<std::string> remedies;
  for (int number = 1; number < 60; ++number)
    remedies.insert(explain(static_cast<CUptiResult>(number)));
  EXPECT_EQ(remedies.size(), 4u) << "one for each kind, and one for all that are not known";
  EXPECT_TRUE(contains(explain(CUPTI_ERROR_HARDWARE_BUSY), "dcgmi profile --pause"));
  EXPECT_TRUE(contains(explain(CUPTI_ERROR_UNKNOWN), "no other profiler runs"));
}

}  // namespace
}  // namespace roofline::cupti
