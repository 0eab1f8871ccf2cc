// Tests of the doctor's findings on drivers, load, CUPTI, permission and DCGM. If OpenMP is asked
// for the GPU, it must not run on the host.
#include <nlohmann/json.hpp>

#include "cli/doctor_checks.h"
#include "gpp/study/kernel.h"
#include "gpp/variant.h"
#include "runtimes/runtime.h"
#include "tests/finished.h"
#include "tests/harness/kept_text.h"

namespace gpp::test {
namespace {

TEST(Doctor, EveryCheckFindsSomethingAndEveryShortcomingHasARemedy) {
  for (const DoctorCheck look : doctor_checks()) {
    const std::vector<Finding> findings = look();
    EXPECT_FALSE(findings.empty());
    for (const Finding& finding : findings) {
      EXPECT_FALSE(finding.subject.empty());
      EXPECT_FALSE(finding.text.empty()) << finding.subject;
      EXPECT_TRUE(finding.health == Health::good || !finding.remedy.empty()) << finding.subject;
    }
  }
}

// ---- What would disturb a study ----

LoadFacts quiet() {
  LoadFacts facts;
  facts.now = {0.01, 0.0};
  facts.load_average = 0.1;
  facts.governor = "performance";
  facts.affinity = "0-3";
  facts.cores = facts.online = facts.threads = 4;
  return facts;
}

// ---- CUPTI, permission and DCGM ----

ProfilingFacts all_well() {
  ProfilingFacts facts;
  facts.cupti = {"/usr/local/cuda/lib64/libcupti.so.13", "13.0", "", ""};
  facts.restricted = false;
  return facts;
}

template <class Facts>
std::string told(const Facts& facts) {
  std::string text;
  for (const Finding& one : judge(facts)) {
    text += fmt::format("{}, {}: {}\n", one.subject, name_of(one.health), one.text);
    if (!one.remedy.empty()) text += "  " + one.remedy + "\n";
  }
  return text;
}

const std::vector<Change<LoadFacts>> disturbances = {
    {"others compute", [](LoadFacts& f) { f.now.others = 0.34; }},
    {"a quota", [](LoadFacts& f) { f.now.steal = 0.2; }},
    {"a load that is not known", [](LoadFacts& f) { f.now = {}; }},
    {"a slow governor", [](LoadFacts& f) { f.governor = "powersave"; }},
    {"half of the cores", [](LoadFacts& f) { f.online = 8; }},
    {"one thread", [](LoadFacts& f) { f.threads = 1; }},
    {"a thousand threads", [](LoadFacts& f) { f.threads = 1000; }},
    {"a quota of cores", [](LoadFacts& f) { f.quota = 1.5; }}};

/// The counters are restricted, the driver is too old and DCGM runs, also for an administrator.
void restrict_all(ProfilingFacts& facts) {
  facts.cupti.mismatch = "update the driver";
  facts.unavailable = "the recorder's reason";
  facts.restricted = facts.dcgm = true;
}

const std::vector<Change<ProfilingFacts>> shortcomings = {
    {"all at once", restrict_all},
    {"for an administrator",
     [](ProfilingFacts& facts) {
       restrict_all(facts);
       facts.administrator = true;
     }},
    {"a permission that is not known", [](ProfilingFacts& facts) { facts.restricted.reset(); }},
    {"no CUPTI",
     [](ProfilingFacts& facts) {
       facts.cupti = {"", "", "install it", ""};
       facts.unavailable = "install it";
     }},
    {"no GPU", [](ProfilingFacts& facts) {
       facts.unavailable = "no driver";
       facts.restricted.reset();
       facts.gpu = false;
     }}};

/// A disturbance is not a defect. Each missing thing is reported once, with its remedy.
TEST(Doctor, FindsWhatIsKeptAndKnowsWhichDriversRunWhichToolkits) {
  EXPECT_EQ(cuda_mismatch("570.86.15", "12.6.20"), "");
  EXPECT_EQ(cuda_mismatch("525.60.13", "12.9"), "");
  EXPECT_TRUE(contains(cuda_mismatch("525.60.12", "12.4"), "525.60.13"));
  EXPECT_NE(cuda_mismatch("470.82", "12.4"), "");
  EXPECT_TRUE(contains(cuda_mismatch("570.86.15", "13.0.48"), "580.65.06"));
  EXPECT_EQ(cuda_mismatch("580.65.06", "13.0.48"), "");
  expect_kept("cli/doctor.txt",
              told_with_changes(quiet(), disturbances, told<LoadFacts>) + "\n\n" +
                  told_with_changes(all_well(), shortcomings, told<ProfilingFacts>));
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
  const std::vector<Finding> findings = look_at_offload();
  ASSERT_FALSE(findings.empty());
  EXPECT_EQ(findings.front().subject, "openmp offload");
  const bool built = findings.front().text.starts_with("built for ");
  EXPECT_EQ(built, gpu_build() != nullptr) << findings.front().text;
  EXPECT_TRUE(findings.front().health == Health::good || !findings.front().remedy.empty());
}

}  // namespace
}  // namespace gpp::test
