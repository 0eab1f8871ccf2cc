// Tests of the doctor's findings on load, CUPTI, permission and DCGM. If OpenMP is asked for the
// GPU, it must not run on the host.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/doctor.h"
#include "gpp/study/kernel.h"
#include "gpp/variant.h"
#include "runtimes/runtime.h"
#include "tests/finished.h"
#include "tests/harness/kept_text.h"

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
  for (const char* subject : {"system", "cores", "memory", "program", "compiler c++", "model omp",
                              "device host", "openmp offload", "load", "cupti"})
    EXPECT_TRUE(subjects.contains(subject)) << subject;
}

DoctorFacts all_well() {
  DoctorFacts facts;
  facts.load = {0.01, 0.0};
  facts.cores = facts.threads = 4;
  facts.cupti = {"/usr/local/cuda/lib64/libcupti.so.13", "13.0", "", ""};
  facts.restricted = false;
  return facts;
}

std::string told(const DoctorFacts& facts) {
  std::string text;
  for (const Finding& one : findings_on(facts)) {
    text += fmt::format("{}, {}: {}\n", one.subject, name_of(one.health), one.text);
    if (!one.remedy.empty()) text += "  " + one.remedy + "\n";
  }
  return text;
}

/// The counters are restricted, the driver is too old and DCGM runs, also for an administrator.
void restrict_all(DoctorFacts& facts) {
  facts.cupti.mismatch = "update the driver";
  facts.cannot_count = "the recorder's reason";
  facts.restricted = facts.dcgm = true;
}

const std::vector<Change<DoctorFacts>> shortcomings = {
    {"others compute", [](DoctorFacts& f) { f.load.others = 0.34; }},
    {"a quota", [](DoctorFacts& f) { f.load.steal = 0.2; }},
    {"a load that is not known", [](DoctorFacts& f) { f.load = {}; }},
    {"a thousand threads", [](DoctorFacts& f) { f.threads = 1000; }},
    {"no right to count", restrict_all},
    {"for an administrator",
     [](DoctorFacts& facts) {
       restrict_all(facts);
       facts.administrator = true;
     }},
    {"a permission that is not known", [](DoctorFacts& facts) { facts.restricted.reset(); }},
    {"no CUPTI",
     [](DoctorFacts& facts) {
       facts.cupti = {"", "", "install it", ""};
       facts.cannot_count = "install it";
     }},
    {"no GPU", [](DoctorFacts& facts) { facts.gpu = false; }}};

/// A disturbance is not a defect. Each missing thing is reported once, with its remedy.
TEST(Doctor, FindsWhatIsKept) {
  expect_kept("cli/doctor.txt", told_with_changes(all_well(), shortcomings, told));
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
