// The doctor's judgement of what it sees: drivers, load, CUPTI, permission and DCGM.
#include "cli/doctor_checks.h"

#include "tests/text.h"

namespace gpp::test {
namespace {

template <class Facts>
Finding finding(const Facts& facts, const std::string& subject) {
  for (const Finding& one : judge(facts))
    if (one.subject == subject) return one;
  return {};
}

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

TEST(DoctorLoad, FindsWhatDisturbsEachWithItsRemedy) {
  for (const Finding& found : judge(quiet()))
    EXPECT_EQ(found.health, Health::good) << found.subject;
  struct Case {
    const char* subject;
    void (*change)(LoadFacts&);
    const char* text;
    const char* remedy;
  };
  for (const Case& one :
       {Case{"load",
             [](LoadFacts& f) {
               f.now = {0.34, 0.0};
             },
             "others take 34%", "5%"},
        Case{"load",
             [](LoadFacts& f) {
               f.now = {0.0, 0.2};
             },
             "quota 20%", "5%"},
        Case{"load", [](LoadFacts& f) { f.now = {}; }, "not known", "cannot see"},
        Case{"governor", [](LoadFacts& f) { f.governor = "powersave"; }, "powersave", "cpupower"},
        Case{"affinity", [](LoadFacts& f) { f.online = 8; }, "4 cores of 8 online", "taskset"},
        Case{"threads", [](LoadFacts& f) { f.threads = 1; }, "1 thread for 4 cores",
             "OMP_NUM_THREADS=4"},
        Case{"threads", [](LoadFacts& f) { f.threads = 1000; }, "1000 threads", "wait"},
        Case{"cpu quota", [](LoadFacts& f) { f.quota = 1.5; }, "1.5 cores' worth",
             "OMP_NUM_THREADS=1"}}) {
    LoadFacts facts = quiet();
    one.change(facts);
    const Finding found = finding(facts, one.subject);
    EXPECT_EQ(found.health, Health::note) << one.subject << ": disturbs, and is no defect";
    EXPECT_TRUE(contains(found.text, one.text));
    EXPECT_TRUE(contains(found.remedy, one.remedy));
  }
}

// ---- CUPTI, permission and DCGM ----

ProfilingFacts all_well() {
  ProfilingFacts facts;
  facts.cupti = {"/usr/local/cuda/lib64/libcupti.so.13", "13.0", "", ""};
  facts.restricted = false;
  return facts;
}

TEST(DoctorProfiling, EveryShortcomingHasARemedy) {
  for (const Finding& one : judge(all_well())) {
    EXPECT_EQ(one.health, Health::good) << one.subject;
    EXPECT_EQ(one.remedy, "") << one.subject;
  }
  ProfilingFacts facts = all_well();
  facts.cupti.mismatch = "update the driver";
  facts.unavailable = "the recorder's reason";
  facts.restricted = true;
  facts.dcgm = true;
  EXPECT_EQ(finding(facts, "cupti").health, Health::problem);
  EXPECT_EQ(finding(facts, "cupti").remedy, "update the driver");
  EXPECT_EQ(finding(facts, "recorder").health, Health::note);
  EXPECT_EQ(finding(facts, "recorder").remedy, "the recorder's reason");
  EXPECT_EQ(finding(facts, "counter permission").health, Health::note);
  EXPECT_TRUE(contains(finding(facts, "counter permission").remedy,
                       "NVreg_RestrictProfilingToAdminUsers=0"));
  EXPECT_EQ(finding(facts, "dcgm").health, Health::note);
  EXPECT_TRUE(contains(finding(facts, "dcgm").remedy, "dcgmi profile --pause"));
  facts.administrator = true;
  EXPECT_EQ(finding(facts, "counter permission").health, Health::good) << "it concerns others";
  facts.restricted.reset();
  EXPECT_EQ(finding(facts, "counter permission").health, Health::note);
}

TEST(DoctorProfiling, WhatIsMissingIsToldOnce) {
  ProfilingFacts facts = all_well();
  facts.cupti = {"", "", "install it", ""};
  facts.unavailable = "install it";
  EXPECT_EQ(finding(facts, "cupti").remedy, "install it");
  EXPECT_EQ(finding(facts, "recorder").subject, "");
  facts = all_well();
  facts.unavailable = "no driver";
  facts.restricted.reset();
  facts.gpu = false;
  EXPECT_EQ(only(judge(facts)).subject, "cupti");
}

}  // namespace
}  // namespace gpp::test
