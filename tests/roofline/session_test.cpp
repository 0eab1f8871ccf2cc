// Counting with a fake CUPTI: order of calls, clean ends, defects, missing values.
#include "roofline/cupti/session.h"

#include <algorithm>
#include <limits>

#include "tests/roofline/fake_cupti.h"

namespace roofline::cupti {
namespace {

class Counting : public testing::Test {
 protected:
  void SetUp() override {
    fake() = {};
    fake().passes = 3;
    fake().values = {{"a.sum", 1}, {"b.sum", 2}, {"c.sum", 3}};
  }

  Recording count_work(const Work& work) {
    const Plan made = plan(functions_, "chip", {}, {"a.sum", "b.sum", "c.sum"});
    fake().calls.clear();
    return count(session(), "chip", made, work);
  }
  Recording count_nothing_special() {
    return count_work({"work", [] { fake().calls.emplace_back("run"); }});
  }
  Session session() {
    return {functions_, context_, [] { fake().calls.emplace_back("synchronize"); },
            [this] { return current_; }};
  }
  static std::ptrdiff_t calls_of(const std::string& name) {
    return std::count(fake().calls.begin(), fake().calls.end(), name);
  }

  const Functions functions_ = fake_functions();
  CUcontext context_ = reinterpret_cast<CUcontext>(&context_);
  CUcontext current_ = context_;
};

TEST_F(Counting, RunsTheWorkOncePerPassWithResetAndCheckOutsideTheRange) {
  const Recording recording = count_work({"work", [] { fake().calls.emplace_back("run"); },
                                          [] { fake().calls.emplace_back("reset"); },
                                          [] { fake().calls.emplace_back("check"); }});
  EXPECT_EQ(recording.passes, 3);
  EXPECT_TRUE(recording.defects.empty());
  const Texts pass = {"reset", "synchronize", "RangeProfilerStart",    "RangeProfilerPushRange",
                      "run",   "synchronize", "RangeProfilerPopRange", "RangeProfilerStop",
                      "check"};
  Texts expected = {"RangeProfilerEnable", "RangeProfilerGetCounterDataSize",
                    "RangeProfilerCounterDataImageInitialize", "RangeProfilerSetConfig"};
  for (int i = 0; i < 3; ++i) expected.insert(expected.end(), pass.begin(), pass.end());
  expected.insert(expected.end(), {"RangeProfilerDecodeData", "RangeProfilerDisable"});
  ASSERT_GE(fake().calls.size(), expected.size());
  fake().calls.resize(expected.size());
  EXPECT_EQ(fake().calls, expected);
}

TEST_F(Counting, MatchesValuesByName) {
  const Recording recording = count_nothing_special();
  EXPECT_EQ(recording.counters, (Counters{{"a.sum", 1}, {"b.sum", 2}, {"c.sum", 3}}));
  EXPECT_TRUE(recording.missing.empty());
}

TEST_F(Counting, WhatIsNoNumberIsMissing) {
  fake().values["a.sum"] = std::numeric_limits<double>::quiet_NaN();
  fake().values["c.sum"] = std::numeric_limits<double>::infinity();
  const Recording recording = count_nothing_special();
  EXPECT_EQ(recording.counters, (Counters{{"b.sum", 2}}));
  ASSERT_EQ(recording.missing.size(), 2u);
  EXPECT_EQ(recording.missing[0].name, "a.sum");
  EXPECT_EQ(recording.missing[1].name, "c.sum");
}

TEST_F(Counting, WhatCannotBeCountedIsMissingAndTheRestIsNot) {
  fake().cannot_count = {"b.sum"};
  const Recording recording = count_nothing_special();
  EXPECT_EQ(recording.counters, (Counters{{"a.sum", 1}, {"c.sum", 3}}));
  EXPECT_EQ(only(recording.missing).name, "b.sum");
  EXPECT_NE(only(recording.missing).reason.find("cannot count"), std::string::npos);
}

TEST_F(Counting, DroppedRangesAreADefect) {
  fake().dropped = 2;
  const Recording recording = count_nothing_special();
  EXPECT_NE(only(recording.defects).find("dropped 2"), std::string::npos);
}

TEST_F(Counting, SeveralRangesAreADefect) {
  fake().ranges = 2;
  ASSERT_EQ(count_nothing_special().defects.size(), 1u);
}

TEST_F(Counting, WorkInAnotherContextIsADefect) {
  const Recording recording = count_work({"work", [&] { current_ = nullptr; }});
  EXPECT_NE(only(recording.defects).find("context"), std::string::npos);
}

TEST_F(Counting, NothingRecordedIsAnError) {
  fake().ranges = 0;
  EXPECT_THROW(count_nothing_special(), RecorderError);
}

TEST_F(Counting, EndsWhenCuptiNeverSaysThatItIsDone) {
  fake().passes = 0;
  EXPECT_TRUE(
      contains(thrown<RecorderError>([&] { count_nothing_special(); }), "still asked for more"));
  EXPECT_EQ(calls_of("RangeProfilerDisable"), 1);
}

TEST_F(Counting, WorkThatThrowsLeavesTheRecorderUsable) {
  struct Failed {};
  int runs = 0;
  EXPECT_THROW(count_work({"work",
                           [&] {
                             if (++runs == 2) throw Failed{};
                           }}),
               Failed);
  const Texts end = {"RangeProfilerPopRange", "RangeProfilerStop", "RangeProfilerDisable"};
  ASSERT_GE(fake().calls.size(), end.size());
  EXPECT_TRUE(std::equal(end.rbegin(), end.rend(), fake().calls.rbegin()));
  fake().stopped = 0;
  EXPECT_EQ(count_nothing_special().counters.size(), 3u);
}

TEST_F(Counting, ResetThatThrowsLeavesNothingOpen) {
  EXPECT_THROW(count_work({"work", [] {}, [] { throw std::runtime_error("reset"); }}),
               std::runtime_error);
  EXPECT_EQ(calls_of("RangeProfilerStart"), 0);
  EXPECT_EQ(calls_of("RangeProfilerDisable"), 1);
}

TEST_F(Counting, EveryRefusalIsExplainedAndLeavesNothingOpen) {
  for (const char* call :
       {"RangeProfilerEnable", "RangeProfilerGetCounterDataSize",
        "RangeProfilerCounterDataImageInitialize", "RangeProfilerSetConfig", "RangeProfilerStart",
        "RangeProfilerPushRange", "RangeProfilerPopRange", "RangeProfilerStop",
        "RangeProfilerDecodeData", "RangeProfilerGetCounterDataInfo"}) {
    SetUp();
    fake().refusals = {{call, CUPTI_ERROR_INSUFFICIENT_PRIVILEGES}};
    EXPECT_TRUE(contains_all(thrown<RecorderError>([&] { count_nothing_special(); }),
                             {"NVreg_RestrictProfilingToAdminUsers=0", std::string("cupti") + call,
                              "in CUPTI's words"}));
    const bool enabled = std::string(call) != "RangeProfilerEnable";
    EXPECT_EQ(calls_of("RangeProfilerDisable"), enabled ? 1 : 0) << call;
    EXPECT_EQ(calls_of("RangeProfilerStart"),
              calls_of("RangeProfilerStop") + (std::string(call) == "RangeProfilerStart"))
        << call;
    EXPECT_EQ(calls_of("ProfilerHostInitialize"), calls_of("ProfilerHostDeinitialize"));
  }
}

TEST_F(Counting, WithoutCountersTheWorkIsNotRun) {
  fake().values.clear();
  const Recording recording = count_work({"work", [] { FAIL() << "ran for nothing"; }});
  EXPECT_EQ(recording.passes, 0);
  EXPECT_EQ(recording.missing.size(), 3u);
  EXPECT_EQ(calls_of("RangeProfilerEnable"), 0);
}

TEST_F(Counting, ADeviceThatCannotBeProfiledIsRefusedWithItsReason) {
  const auto refusal = [&] { return thrown<RecorderError>([&] { check_device(functions_, 0); }); };
  auto& support = fake().support;
  support.isSupported = CUPTI_PROFILER_CONFIGURATION_SUPPORTED;
  EXPECT_EQ(refusal(), "");
  support.isSupported = CUPTI_PROFILER_CONFIGURATION_UNKNOWN;  // left to the attempt
  EXPECT_EQ(refusal(), "");
  support.isSupported = CUPTI_PROFILER_CONFIGURATION_UNSUPPORTED;
  EXPECT_NE(refusal().find("cannot be profiled"), std::string::npos);
  support.confidentialCompute = CUPTI_PROFILER_CONFIGURATION_UNSUPPORTED;
  EXPECT_NE(refusal().find("confidential computing"), std::string::npos);
  support.confidentialCompute = CUPTI_PROFILER_CONFIGURATION_SUPPORTED;
  support.vGpu = CUPTI_PROFILER_CONFIGURATION_UNSUPPORTED;
  EXPECT_NE(refusal().find("virtual GPU of this kind"), std::string::npos);
  support.vGpu = CUPTI_PROFILER_CONFIGURATION_DISABLED;
  EXPECT_NE(refusal().find("enable_profiling"), std::string::npos);
}

TEST_F(Counting, HooksIntoTheDriverOnlyWhileItCounts) {
  {
    const Profiling profiling(functions_);
    EXPECT_EQ(fake().calls, Texts{"ProfilerInitialize"});
  }
  EXPECT_EQ(fake().calls, (Texts{"ProfilerInitialize", "ProfilerDeInitialize"}));
  fake().refusals = {{"ProfilerInitialize", CUPTI_ERROR_HARDWARE_BUSY}};
  EXPECT_THROW(Profiling{functions_}, RecorderError);
  EXPECT_EQ(calls_of("ProfilerDeInitialize"), 1);
}

// ---- Kernel by kernel ----

class CountingKernels : public Counting {
 protected:
  KernelRecording count_launches(const std::vector<const char*>& symbols) {
    const Plan made = plan(functions_, "chip", {}, {"a.sum", "b.sum"});
    fake().calls.clear();
    return count_kernels(session(), "chip", made, {"work", [&symbols] {
                                                     for (const char* symbol : symbols)
                                                       tell_of_launch(symbol);
                                                   }});
  }
  std::string refusal(const std::vector<const char*>& symbols) {
    return thrown<RecorderError>([&] { count_launches(symbols); });
  }
};

TEST_F(CountingKernels, AddsUpTheLaunchesOfEach) {
  fake().ranges = 3;
  const KernelRecording recording = count_launches({"_Z1fi", "g", "_Z1fi"});
  EXPECT_EQ(recording.passes, 3);
  ASSERT_EQ(recording.kernels.size(), 2u);
  EXPECT_EQ(recording.kernels[0].name, "f(int)");
  EXPECT_EQ(recording.kernels[0].launches, 2);
  EXPECT_EQ(recording.kernels[0].counters, (Counters{{"a.sum", 2}, {"b.sum", 4}}));
  EXPECT_EQ(recording.kernels[1].name, "g");
  EXPECT_EQ(recording.kernels[1].counters, (Counters{{"a.sum", 1}, {"b.sum", 2}}));
  EXPECT_EQ(recording.totals(), (Counters{{"a.sum", 3}, {"b.sum", 6}}));
  EXPECT_EQ(calls_of("RangeProfilerPushRange"), 0) << "each kernel is a range";
  EXPECT_EQ(calls_of("Unsubscribe"), 1);
}

TEST_F(CountingKernels, RefusesWhatItCannotTellApart) {
  fake().ranges = 2;
  EXPECT_NE(refusal({"f"}).find("CUPTI counted 2 of 1 launches"), std::string::npos);
  SetUp();
  EXPECT_NE(refusal({"f", nullptr}).find("CUDA graphs"), std::string::npos);
  SetUp();
  EXPECT_NE(refusal(std::vector<const char*>(257, "f")).find("257 launches; 256 are the most"),
            std::string::npos);
  SetUp();
  fake().refusals = {{"Subscribe", CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED}};
  EXPECT_NE(refusal({"f"}).find("cuptiSubscribe"), std::string::npos);
  EXPECT_EQ(calls_of("RangeProfilerEnable"), 0);
}

TEST_F(CountingKernels, PassesMustLaunchTheSame) {
  const Plan made = plan(functions_, "chip", {}, {"a.sum"});
  int runs = 0;
  const Work work = {"work", [&runs] { tell_of_launch(++runs == 2 ? "g" : "f"); }};
  EXPECT_THROW(count_kernels(session(), "chip", made, work), RecorderError);
}

TEST_F(CountingKernels, ANumberThatIsNoneIsMissing) {
  fake().values["a.sum"] = std::numeric_limits<double>::quiet_NaN();
  const KernelRecording recording = count_launches({"f"});
  EXPECT_EQ(recording.kernels[0].counters, (Counters{{"b.sum", 2}}));
  EXPECT_EQ(only(recording.missing).name, "a.sum");
}

}  // namespace
}  // namespace roofline::cupti
