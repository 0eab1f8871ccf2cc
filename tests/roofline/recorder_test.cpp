// The recorder as the program meets it: where nothing can be counted it says why, and what to do.
#include "roofline/recorder.h"

#include <cstdio>

#include "roofline/cuda_driver.h"
#include "tests/text.h"

namespace roofline {
namespace {

TEST(Recorder, SaysWhyItCannotCountAndRefusesWithTheSameWords) {
  const std::string reason = cupti_recorder().unavailable();
  if (reason.empty()) GTEST_SKIP() << "this machine can count";
  EXPECT_NE(reason.find_first_of(";("), std::string::npos) << "no remedy: " << reason;
  bool ran = false;
  EXPECT_EQ(gpp::test::thrown<RecorderError>([&] {
              cupti_recorder().record({"dram__bytes.sum"}, {"work", [&] { ran = true; }});
            }),
            reason);
  EXPECT_FALSE(ran) << "ran work that could not be counted";
  RecordProperty("unavailable", reason);
  std::printf("unavailable: %s\n", reason.c_str());
}

TEST(CudaDriver, DescribesADeviceOrSaysWhyThereIsNone) {
  CudaDriverDevice found;
  const std::string reason = ask_cuda_driver(0, found);
  if (cuda_driver_symbol("cuInit") == nullptr) {
    EXPECT_EQ(reason, no_cuda_driver());
    EXPECT_TRUE(reason.starts_with("there is no NVIDIA driver here (libcuda.so.1); "));
    EXPECT_TRUE(found.name.empty());
  } else if (reason.empty()) {
    EXPECT_FALSE(found.name.empty());
    EXPECT_GE(found.compute_capability, 50);
    EXPECT_GT(found.multiprocessors, 0);
    EXPECT_GT(found.memory_bytes, found.free_bytes);
    EXPECT_GE(found.cuda_version, 12000);
  }
  EXPECT_FALSE(ask_cuda_driver(-1, found).empty());
  EXPECT_EQ(cuda_driver_symbol("no_such_function"), nullptr);
}

}  // namespace
}  // namespace roofline
