// Asked for the GPU, OpenMP must not answer from the host.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/doctor_checks.h"
#include "gpp/study/kernel.h"
#include "gpp/variant.h"
#include "runtimes/runtime.h"
#include "tests/finished.h"

namespace gpp {
namespace {

const Build* gpu_build() {
  for (const Variant& variant : catalog())
    for (const Build& build : variant.builds)
      if (variant.model == "omp" && variant.id == "v9" && build.kind == "gpu") return &build;
  return nullptr;
}

/// The program asked for v9 on a GPU, with OMP_TARGET_OFFLOAD as given.
roofline::Finished run_on_gpu(const std::string& policy, const std::string& device = "gpu") {
  return roofline::run_program({"env", "OMP_TARGET_OFFLOAD=" + policy, GPP_BINARY_DIR "/gpp", "run",
                                "v9", "--model", "omp", "--device", device, "--preset", "tiny",
                                "--repeat", "1", "--json"});
}

class OffloadWithoutGpu : public testing::Test {
 protected:
  void SetUp() override {
    if (gpu_build() != nullptr && gpu_build()->runtime->unavailable().empty())
      GTEST_SKIP() << "there is a GPU here";
  }
};

TEST_F(OffloadWithoutGpu, IsRefusedWhateverThePolicy) {
  for (const char* policy : {"default", "mandatory", "disabled"}) {
    const roofline::Finished done = run_on_gpu(policy);
    EXPECT_EQ(done.status, 1) << policy << "\n" << done.errors;
    EXPECT_EQ(done.output, "") << policy;
    EXPECT_TRUE(done.errors.starts_with("gpp: omp v9 cannot run here: ")) << done.errors;
    const char* told = gpu_build() == nullptr ? "not built for the device 'gpu': " : "GPU";
    EXPECT_TRUE(test::contains(done.errors, told));
    EXPECT_GT(done.errors.size(), 90u) << "and why";
  }
  if (gpu_build() != nullptr) {
    EXPECT_TRUE(test::contains(run_on_gpu("disabled").errors, "OMP_TARGET_OFFLOAD"));
  }
}

TEST_F(OffloadWithoutGpu, LeavesTheHostItsBuild) {
  const roofline::Finished done = succeeded(run_on_gpu("mandatory", "host"));
  const nlohmann::json result = nlohmann::json::parse(done.output);
  EXPECT_EQ(result.at("kind"), "host");
  EXPECT_EQ(result.at("status"), "passed");
}

TEST(Offload, IsInTheListWithItsReason) {
  const roofline::Finished done = succeeded(roofline::run_program({GPP_BINARY_DIR "/gpp", "list"}));
  const bool lacking = done.output.find("not built for the gpu: ") != std::string::npos;
  EXPECT_EQ(lacking, gpu_build() == nullptr) << done.output;
  const int rows = static_cast<int>(
      std::count_if(catalog().begin(), catalog().end(), [](const Variant& variant) {
        return variant.model == "omp" && !variant.builds.empty() && !variant.not_built.empty();
      }));
  EXPECT_GE(rows, lacking ? 11 : 0);
}

TEST(Offload, IsKnownToTheDoctor) {
  const std::vector<Finding> findings = look_at_offload();
  ASSERT_FALSE(findings.empty());
  EXPECT_EQ(findings.front().subject, "openmp offload");
  const bool built = findings.front().text.starts_with("built for ");
  EXPECT_EQ(built, gpu_build() != nullptr) << findings.front().text;
  EXPECT_TRUE(findings.front().health == Health::good || !findings.front().remedy.empty());
}

}  // namespace
}  // namespace gpp
