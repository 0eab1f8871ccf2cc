// Each refusal of CUPTI becomes a message; a library suits a driver or does not.
#include "roofline/cupti/functions.h"

#include <algorithm>
#include <cstdlib>
#include <set>

#include "roofline/cupti/library.h"
#include "roofline/recorder.h"
#include "tests/roofline/fake_cupti.h"

namespace roofline::cupti {
namespace {

TEST(Errors, EachHasItsRemedy) {
  struct Case {
    CUptiResult result;
    const char* remedy;
  };
  for (const Case one : {
           Case{CUPTI_ERROR_INSUFFICIENT_PRIVILEGES, "NVreg_RestrictProfilingToAdminUsers=0"},
           Case{CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES, "hypervisor"},
           Case{CUPTI_ERROR_HARDWARE_BUSY, "dcgmi profile --pause"},
           Case{CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED, "end other profilers"},
           Case{CUPTI_ERROR_DISABLED, "end other profilers"},
           Case{CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED, "MIG"},
           Case{CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED, "use a whole GPU"},
           Case{CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED, "switch the mode off"},
           Case{CUPTI_ERROR_NOT_SUPPORTED, "compute capability 7.5"},
           Case{CUPTI_ERROR_INVALID_CHIP_NAME, "CUDA toolkit that came with"},
           Case{CUPTI_ERROR_NOT_COMPATIBLE, "CUDA_VISIBLE_DEVICES"},
           Case{CUPTI_ERROR_NOT_INITIALIZED, "update the driver"},
           Case{CUPTI_ERROR_OLD_PROFILER_API_INITIALIZED, "old profiling interface"},
           Case{CUPTI_ERROR_INVALID_CONTEXT, "nvidia-smi"},
           Case{CUPTI_ERROR_OUT_OF_MEMORY, "smaller input"},
           Case{CUPTI_ERROR_UNKNOWN, "CUPTI gives no reason"},
       })
    EXPECT_NE(explain(one.result).find(one.remedy), std::string::npos) << explain(one.result);
}

TEST(Errors, KindsAreToldApart) {
  std::set<std::string> texts;
  const std::vector<CUptiResult> kinds = {CUPTI_ERROR_INSUFFICIENT_PRIVILEGES,
                                          CUPTI_ERROR_HARDWARE_BUSY,
                                          CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED,
                                          CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED,
                                          CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED,
                                          CUPTI_ERROR_INVALID_CHIP_NAME,
                                          CUPTI_ERROR_NOT_COMPATIBLE,
                                          CUPTI_ERROR_NOT_INITIALIZED,
                                          CUPTI_ERROR_UNKNOWN};
  for (const CUptiResult kind : kinds) texts.insert(explain(kind));
  EXPECT_EQ(texts.size(), kinds.size());
}

TEST(Errors, SuccessIsNone) { EXPECT_NO_THROW(check(fake_functions(), CUPTI_SUCCESS, "call")); }

TEST(Errors, NameTheCallTheNumberAndCuptisWords) {
  const auto message = [](const Functions& functions) {
    return thrown<RecorderError>(
        [&] { check(functions, CUPTI_ERROR_HARDWARE_BUSY, "cuptiRangeProfilerStart"); });
  };
  EXPECT_TRUE(
      message(fake_functions()).ends_with("(cuptiRangeProfilerStart: error 26, in CUPTI's words)"));
  EXPECT_TRUE(message({}).ends_with("(cuptiRangeProfilerStart: error 26, unknown error)"));
}

TEST(Library, TellsTheCudaVersionItCameWith) {
  EXPECT_EQ(cuda_version_of(23), "before 12.6");
  EXPECT_EQ(cuda_version_of(24), "12.6");
  EXPECT_EQ(cuda_version_of(26), "12.8");
  EXPECT_EQ(cuda_version_of(28), "12.9");
  EXPECT_EQ(cuda_version_of(130001), "13.0");
  EXPECT_EQ(cuda_version_of(130100), "13.1");
}

TEST(Library, KnowsWhichDriverSuitsIt) {
  EXPECT_EQ(version_mismatch(130000, 13000), "");
  EXPECT_EQ(version_mismatch(130100, 13000), "");
  EXPECT_EQ(version_mismatch(24, 13000), "");
  EXPECT_EQ(version_mismatch(28, 12060), "");
  EXPECT_EQ(version_mismatch(130000, 0), "");
  const std::string old = version_mismatch(130000, 12080);
  EXPECT_NE(old.find("supports CUDA 12.8, this CUPTI is of CUDA 13.0; update"), std::string::npos)
      << old;
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
