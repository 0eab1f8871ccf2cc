// Tests of this machine's GPU roofs; skipped without a GPU.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>

#include "roofline/ceilings/cuda/gpu.h"
#include "roofline/ceilings/measure.h"
#include "roofline/models/model_table.h"

namespace roofline {
namespace {

class GpuCeilings : public testing::Test {
 protected:
  void SetUp() override {
    const std::string reason = gpu_benchmarks().unavailable();
    if (!reason.empty()) GTEST_SKIP() << reason;
    if (!measured) measured = gpu_benchmarks().measure({});
  }
  const Ceiling& ceiling(const std::string& name) const {
    const Ceiling* found = measured->find(name);
    if (found == nullptr) throw std::runtime_error("no ceiling " + name);
    return *found;
  }
  double ratio(const std::string& name) const {
    return ceiling(name).measured / ceiling(name).theoretical.value();
  }

  static inline std::optional<Ceilings> measured;  // measured once for all tests
};

TEST_F(GpuCeilings, EveryRoofIsThereAndNoneIsAboveWhatTheHardwareCanDo) {
  for (const char* name :
       {"fp64_fma", "fp64_no_fma", "fp64_operands_2", "fp64_operands_2_5", "fp64_operands_3",
        "fp32_fma", "fp16_fma", "shared", "l1", "l2", "dram"}) {
    ASSERT_NE(measured->find(name), nullptr) << name;
    EXPECT_GT(ceiling(name).measured, 0) << name;
    EXPECT_GT(ceiling(name).clock_mhz, 100) << name;
    EXPECT_LE(ceiling(name).measured, 1.02 * ceiling(name).theoretical.value_or(1e30)) << name;
  }
  EXPECT_GT(ceiling("l1").measured, ceiling("l2").measured);
  EXPECT_GT(ceiling("l2").measured, ceiling("dram").measured);
  EXPECT_LE(measured->seconds, 20);
  const LaunchCost launch = measured->launch.value();
  EXPECT_TRUE(launch.low > 0 && launch.low <= launch.seconds && launch.seconds <= launch.high);
}

TEST_F(GpuCeilings, AnH200ReachesWhatIsKnownOfIt) {
  if (measured->device != "NVIDIA H200") GTEST_SKIP() << "the figures are of the NVIDIA H200";
  const Ceiling& fma = ceiling("fp64_fma");
  EXPECT_GE(fma.measured, 0.97 * 132 * 64 * 2 * 1e6 * fma.clock_mhz);
  EXPECT_GE(ceiling("dram").measured, 4.0e12);
  // gpu-benches reports almost 128 B per cycle and SM, at most 126 (gpu-cache), and 9.7e12 B/s from
  // 4 MB to 40 MB (gpu-l2-cache/h200.txt).
  EXPECT_GE(ceiling("l1").measured, 0.9 * 126 * 132 * 1e6 * ceiling("l1").clock_mhz);
  EXPECT_GE(ceiling("l2").measured, 0.9 * 9.7e12);
  EXPECT_GE(ratio("fp64_tensor"), 0.9);
  // Three operands exceed the register file's rate; the values come from earlier experiments.
  EXPECT_NEAR(ratio("fp64_operands_2"), 0.98, 0.03);
  EXPECT_NEAR(ratio("fp64_operands_2_5"), 0.79, 0.04);
  EXPECT_NEAR(ratio("fp64_operands_3"), 0.66, 0.04);
}

TEST_F(GpuCeilings, EveryPeakOfTheModelsIsMeasuredOrSaidToBeMissing) {
  for (const Model& model : table_of("gpu").models) {
    const auto missing = std::ranges::find(measured->missing, model.peak, &Missing::name);
    const bool said = missing != measured->missing.end();
    EXPECT_NE(measured->find(model.peak) != nullptr, said) << model.peak;
    EXPECT_NE(said ? missing->reason : "measured", "") << model.peak;
  }
}

TEST_F(GpuCeilings, TensorCoresComeNearWhatTheHardwareCanDo) {
  for (const char* name :
       {"fp16_tensor", "bf16_tensor", "tf32_tensor", "fp8_tensor", "int8_tensor"}) {
    const Ceiling* found = measured->find(name);
    if (found == nullptr || !found->theoretical) continue;
    EXPECT_LT(ratio(name), 1.1) << name;
    EXPECT_GT(ratio(name), 1.0 / 3) << name << ": Hopper's mma.sync reaches 63% on average";
    EXPECT_NE(found->definition.find("mma.sync"), std::string::npos) << name;
  }
  if (measured->find("fp16_tensor") == nullptr) GTEST_SKIP() << "needs compute capability 8.0";
  const double fp16 = ceiling("fp16_tensor").measured;
  EXPECT_NEAR(ceiling("bf16_tensor").measured / fp16, 1, 0.1);
  EXPECT_LT(ceiling("tf32_tensor").measured, 0.7 * fp16);
  EXPECT_GT(fp16, ceiling("fp16_fma").measured);
}

/// 1e12 operations per second, as in NVIDIA's data sheets for dense matrices.
double tera(int fma_per_cycle, int multiprocessors, double clock_mhz) {
  return 2e-6 * fma_per_cycle * multiprocessors * clock_mhz;
}

TEST(PerCycle, GivesTheTensorPeaksOfTheDataSheets) {
  const gpu::PerCycle a100 = gpu::per_cycle(80), h100 = gpu::per_cycle(90);
  const auto on_a100 = [](int fma) { return tera(fma, 108, 1410); };
  const auto on_h100 = [](int fma) { return tera(fma, 132, 1830); };  // the SXM5 card
  EXPECT_NEAR(on_a100(a100.fp64_tensor_fma), 19.5, 0.05);
  EXPECT_NEAR(on_a100(a100.fp16_tensor_fma), 312, 0.5);
  EXPECT_NEAR(on_a100(a100.tf32_tensor_fma), 156, 0.5);
  EXPECT_NEAR(on_a100(a100.int8_tensor_fma), 624, 0.5);
  EXPECT_EQ(a100.fp8_tensor_fma, 0) << "it has none";
  EXPECT_NEAR(on_h100(h100.fp16_tensor_fma), 989.4, 0.5);
  EXPECT_NEAR(on_h100(h100.tf32_tensor_fma), 494.7, 0.5);
  for (const int fma : {h100.fp8_tensor_fma, h100.int8_tensor_fma})
    EXPECT_NEAR(on_h100(fma), 1978.9, 0.5);
}

}  // namespace
}  // namespace roofline
