// The doctor's judgement of what it sees: drivers, load, CUPTI, permission and DCGM.
#include "cli/doctor_checks.h"

#include "tests/harness/kept_text.h"

namespace gpp::test {
namespace {

TEST(Doctor, KnowsWhichDriversRunWhichToolkits) {
  EXPECT_EQ(cuda_mismatch("570.86.15", "12.6.20"), "");
  EXPECT_EQ(cuda_mismatch("525.60.13", "12.9"), "");
  EXPECT_TRUE(contains(cuda_mismatch("525.60.12", "12.4"), "525.60.13"));
  EXPECT_NE(cuda_mismatch("470.82", "12.4"), "");
  EXPECT_TRUE(contains(cuda_mismatch("570.86.15", "13.0.48"), "580.65.06"));
  EXPECT_EQ(cuda_mismatch("580.65.06", "13.0.48"), "");
}

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

/// No update of the driver, no permission, and DCGM in between; for an administrator, too.
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

/// What disturbs is no defect. What is missing is told once, and each with its remedy.
TEST(Doctor, FindsWhatIsKept) {
  expect_kept("cli/doctor.txt",
              told_with_changes(quiet(), disturbances, told<LoadFacts>) + "\n\n" +
                  told_with_changes(all_well(), shortcomings, told<ProfilingFacts>));
}

}  // namespace
}  // namespace gpp::test
