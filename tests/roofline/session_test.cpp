// Tests of counting with a fake CUPTI: order of calls, clean ends, defects, missing values;
// messages for each CUPTI error; libraries and drivers that fit or not.
#include <algorithm>
#include <cstdlib>
#include <limits>
#include <set>
#include <utility>

#include "roofline/cupti/functions.h"
#include "roofline/cupti/library.h"
#include "roofline/cupti/session.h"
#include "roofline/recorder.h"
#include "tests/roofline/fake_cupti.h"

namespace roofline::cupti {
namespace {

class Counting : public testing::Test {
 protected:
  void SetUp() override {
    fake() = {};
    current_ = context_;
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

TEST_F(Counting, MatchesValuesByNameAndWhatIsNoNumberOrNotCountedIsMissing) {
  Recording recording = count_nothing_special();
  EXPECT_EQ(recording.counters, (Counters{{"a.sum", 1}, {"b.sum", 2}, {"c.sum", 3}}));
  EXPECT_TRUE(recording.missing.empty());
  SetUp();
  fake().values["a.sum"] = std::numeric_limits<double>::quiet_NaN();
  fake().values["c.sum"] = std::numeric_limits<double>::infinity();
  recording = count_nothing_special();
  EXPECT_EQ(recording.counters, (Counters{{"b.sum", 2}}));
  ASSERT_EQ(recording.missing.size(), 2u);
  EXPECT_EQ(recording.missing[0].name + " " + recording.missing[1].name, "a.sum c.sum");
  SetUp();
  fake().cannot_count = {"b.sum"};
  recording = count_nothing_special();
  EXPECT_EQ(recording.counters, (Counters{{"a.sum", 1}, {"c.sum", 3}}));
  EXPECT_EQ(only(recording.missing).name, "b.sum");
  EXPECT_TRUE(contains(only(recording.missing).reason, "cannot count"));
}

TEST_F(Counting, DroppedOrSeveralRangesOrAnotherContextAreADefectAndNoneAnError) {
  fake().dropped = 2;
  EXPECT_TRUE(contains(only(count_nothing_special().defects), "dropped 2"));
  SetUp();
  fake().ranges = 2;
  EXPECT_EQ(count_nothing_special().defects.size(), 1u);
  SetUp();
  const Recording elsewhere = count_work({"work", [&] { current_ = nullptr; }});
  EXPECT_TRUE(contains(only(elsewhere.defects), "context"));
  SetUp();
  fake().ranges = 0;
  EXPECT_THROW(count_nothing_special(), RecorderError);
}

TEST_F(Counting, WorkOrResetThatThrowsLeavesNothingOpen) {
  struct Failed {};
  int runs = 0;
  const auto fails_later = [&runs] {
    if (++runs == 2) throw Failed{};
  };
  EXPECT_THROW(count_work({"work", fails_later}), Failed);
  const Texts end = {"RangeProfilerPopRange", "RangeProfilerStop", "RangeProfilerDisable"};
  ASSERT_GE(fake().calls.size(), end.size());
  EXPECT_TRUE(std::equal(end.rbegin(), end.rend(), fake().calls.rbegin()));
  fake().stopped = 0;
  EXPECT_EQ(count_nothing_special().counters.size(), 3u) << "it is usable";
  EXPECT_THROW(count_work({"work", [] {}, [] { throw Failed{}; }}), Failed);
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

TEST_F(Counting, WithoutCountersTheWorkIsNotRunAndItEndsThoughCuptiIsNeverDone) {
  fake().passes = 0;
  EXPECT_TRUE(
      contains(thrown<RecorderError>([&] { count_nothing_special(); }), "still asked for more"));
  EXPECT_EQ(calls_of("RangeProfilerDisable"), 1);
  SetUp();
  fake().values.clear();
  const Recording recording = count_work({"work", [] { FAIL() << "ran for nothing"; }});
  EXPECT_EQ(recording.passes, 0);
  EXPECT_EQ(recording.missing.size(), 3u);
  EXPECT_EQ(calls_of("RangeProfilerEnable"), 0);
}

TEST_F(Counting, ADeviceThatCannotBeProfiledIsRefusedWithItsReason) {
  constexpr auto yes = CUPTI_PROFILER_CONFIGURATION_SUPPORTED,
                 no = CUPTI_PROFILER_CONFIGURATION_UNSUPPORTED;
  const auto refusal = [&](auto supported, auto confidential, auto virtual_gpu) {
    fake().support.isSupported = supported;
    fake().support.confidentialCompute = confidential;
    fake().support.vGpu = virtual_gpu;
    return thrown<RecorderError>([&] { check_device(functions_, 0); });
  };
  EXPECT_EQ(refusal(yes, yes, yes), "");
  EXPECT_EQ(refusal(CUPTI_PROFILER_CONFIGURATION_UNKNOWN, yes, yes), "") << "left to the attempt";
  EXPECT_TRUE(contains(refusal(no, yes, yes), "cannot be profiled"));
  EXPECT_TRUE(contains(refusal(no, no, yes), "confidential computing"));
  EXPECT_TRUE(contains(refusal(no, yes, no), "virtual GPU of this kind"));
  EXPECT_TRUE(
      contains(refusal(no, yes, CUPTI_PROFILER_CONFIGURATION_DISABLED), "enable_profiling"));
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
  EXPECT_EQ(recording.kernels[1].counters, (Counters{{"a.sum", 1}, {"b.sum", 2}}));
  EXPECT_EQ(recording.totals(), (Counters{{"a.sum", 3}, {"b.sum", 6}}));
  EXPECT_EQ(calls_of("RangeProfilerPushRange"), 0) << "each kernel is a range";
  EXPECT_EQ(calls_of("Unsubscribe"), 1);
  SetUp();
  fake().values["a.sum"] = std::numeric_limits<double>::quiet_NaN();
  const KernelRecording lost = count_launches({"f"});
  EXPECT_EQ(lost.kernels[0].counters, (Counters{{"b.sum", 2}}));
  EXPECT_EQ(only(lost.missing).name, "a.sum");
}

TEST_F(CountingKernels, RefusesWhatItCannotTellApart) {
  fake().ranges = 2;
  EXPECT_TRUE(contains(refusal({"f"}), "CUPTI counted 2 of 1 launches"));
  SetUp();
  EXPECT_TRUE(contains(refusal({"f", nullptr}), "CUDA graphs"));
  SetUp();
  EXPECT_TRUE(
      contains(refusal(std::vector<const char*>(257, "f")), "257 launches; 256 are the most"));
  SetUp();
  fake().refusals = {{"Subscribe", CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED}};
  EXPECT_TRUE(contains(refusal({"f"}), "cuptiSubscribe"));
  EXPECT_EQ(calls_of("RangeProfilerEnable"), 0);
  SetUp();
  int runs = 0;
  const Work work = {"work", [&runs] { tell_of_launch(++runs == 2 ? "g" : "f"); }};
  EXPECT_THROW(count_kernels(session(), "chip", plan(functions_, "chip", {}, {"a.sum"}), work),
               RecorderError)
      << "passes must launch the same";
}

TEST(Errors, OfEachKindHaveTheirRemedy) {
  std::set<std::string> remedies;
  for (int number = 1; number < 60; ++number)
    remedies.insert(explain(static_cast<CUptiResult>(number)));
  EXPECT_EQ(remedies.size(), 14u) << "one for each kind, and one for all that are not known";
  EXPECT_TRUE(contains(explain(CUPTI_ERROR_HARDWARE_BUSY), "dcgmi profile --pause"));
  EXPECT_TRUE(contains(explain(CUPTI_ERROR_NOT_COMPATIBLE), "CUDA_VISIBLE_DEVICES"));
  EXPECT_TRUE(contains(explain(CUPTI_ERROR_OUT_OF_MEMORY), "smaller input"));
  EXPECT_TRUE(contains(explain(CUPTI_ERROR_UNKNOWN), "CUPTI gives no reason"));
}

TEST(Errors, NameTheCallTheNumberAndCuptisWords) {
  const auto message = [](const Functions& functions, CUptiResult result) {
    return thrown<RecorderError>([&] { check(functions, result, "cuptiRangeProfilerStart"); });
  };
  EXPECT_EQ(message(fake_functions(), CUPTI_SUCCESS), "");
  EXPECT_TRUE(message(fake_functions(), CUPTI_ERROR_HARDWARE_BUSY)
                  .ends_with("(cuptiRangeProfilerStart: error 26, in CUPTI's words)"));
  EXPECT_TRUE(message({}, CUPTI_ERROR_HARDWARE_BUSY)
                  .ends_with("(cuptiRangeProfilerStart: error 26, unknown error)"));
}

TEST(Library, TellsTheCudaVersionItCameWithAndWhichDriverSuitsIt) {
  const std::pair<unsigned, const char*> versions[] = {{23, "before 12.6"}, {24, "12.6"},
                                                       {26, "12.8"},        {28, "12.9"},
                                                       {130001, "13.0"},    {130100, "13.1"}};
  for (const auto& [version, cuda] : versions) EXPECT_EQ(cuda_version_of(version), cuda);
  EXPECT_EQ(version_mismatch(130100, 13000), "");
  EXPECT_EQ(version_mismatch(24, 13000), "");
  EXPECT_EQ(version_mismatch(28, 12060), "");
  EXPECT_EQ(version_mismatch(130000, 0), "");
  EXPECT_TRUE(contains(version_mismatch(130000, 12080),
                       "supports CUDA 12.8, this CUPTI is of CUDA 13.0; update"));
}

TEST(Library, LooksWhereTheEnvironmentSaysFirst) {
  ASSERT_EQ(setenv("CUPTI_PATH", "/my/cupti", 1), 0);
  const std::vector<std::string> paths = candidates();
  ASSERT_EQ(unsetenv("CUPTI_PATH"), 0);
  EXPECT_TRUE(paths.front().starts_with("/my/cupti/lib64/libcupti.so.1")) << paths.front();
  EXPECT_EQ(std::count_if(paths.begin(), paths.end(),
                          [](const std::string& path) { return path.find('/') == path.npos; }),
            2);
  for (const std::string& path : candidates()) EXPECT_FALSE(path.starts_with("/my/cupti")) << path;
}

}  // namespace
}  // namespace roofline::cupti
