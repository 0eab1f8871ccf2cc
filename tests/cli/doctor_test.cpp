// Tests of the doctor's findings. If OpenMP is asked for the GPU, it must not run on the host.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <set>

#include "gpp/study/kernel.h"
#include "gpp/variant.h"
#include "roofline/base/machine.h"
#include "runtimes/runtime.h"
#include "tests/finished.h"

namespace gpp::test {
namespace {

nlohmann::json findings_here() {
  return nlohmann::json::parse(run_gpp({"doctor", "--json"}).output);
}

TEST(Doctor, FindsSomethingOfEachAndARemedyForEveryShortcoming) {
  std::set<std::string> subjects;
  for (const nlohmann::json& finding : findings_here()) {
    subjects.insert(finding["subject"]);
    EXPECT_NE(finding["text"], "") << finding;
    EXPECT_TRUE(finding["health"] == "good" || finding["remedy"] != "") << finding;
  }
  for (const char* subject :
       {"system", "cores", "memory", "model omp", "device host", "openmp offload", "load", "cupti"})
    EXPECT_TRUE(subjects.contains(subject)) << subject;
}

TEST(Doctor, SaysHowManyThreadsAreTooMany) {
  const int cores = roofline::available_cores();
  const std::string threads = fmt::format("OMP_NUM_THREADS={}", cores + 3);
  const roofline::Finished done =
      succeeded(roofline::run_program({"env", threads, GPP_BINARY_DIR "/gpp", "doctor"}));
  EXPECT_TRUE(contains_in_order(
      done.output, {fmt::format("\nnote    threads             {} for {} core", cores + 3, cores),
                    fmt::format("-> set OMP_NUM_THREADS={};", cores)}));
}

// ---- OpenMP -------------------------------------------------------------------------------------

const Build* gpu_build() {
  for (const Variant& variant : catalog())
    for (const Build& build : variant.builds)
      if (variant.model == "omp" && variant.id == "v9" && build.kind == "gpu") return &build;
  return nullptr;
}

/// Runs v9 on a GPU with the given OMP_TARGET_OFFLOAD.
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

TEST_F(OffloadWithoutGpu, IsRefusedWhateverThePolicyButForTheHost) {
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
  const roofline::Finished done = succeeded(run_on_gpu("mandatory", "host"));
  const nlohmann::json result = nlohmann::json::parse(done.output);
  EXPECT_EQ(result.at("kind"), "host");
  EXPECT_EQ(result.at("status"), "passed");
}

TEST(Offload, IsInTheListWithItsReasonAndKnownToTheDoctor) {
  const roofline::Finished done = succeeded(roofline::run_program({GPP_BINARY_DIR "/gpp", "list"}));
  const bool lacking = done.output.find("not built for the gpu: ") != std::string::npos;
  EXPECT_EQ(lacking, gpu_build() == nullptr) << done.output;
  const int rows = static_cast<int>(
      std::count_if(catalog().begin(), catalog().end(), [](const Variant& variant) {
        return variant.model == "omp" && !variant.builds.empty() && !variant.not_built.empty();
      }));
  EXPECT_GE(rows, lacking ? 11 : 0);
  const nlohmann::json findings = findings_here();
  const auto offload = std::ranges::find(findings, "openmp offload", [](const auto& one) {
    return one["subject"].template get<std::string>();
  });
  ASSERT_NE(offload, findings.end());
  EXPECT_EQ((*offload)["text"].get<std::string>().starts_with("built for "),
            gpu_build() != nullptr);
}

}  // namespace
}  // namespace gpp::test
