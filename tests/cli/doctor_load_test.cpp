// The doctor's judgement of what would disturb a study.
#include "cli/doctor_checks.h"

#include <gtest/gtest.h>

namespace gpp {
namespace {

LoadFacts quiet() {
  LoadFacts facts;
  facts.now = {0.01, 0.0};
  facts.load_average = 0.1;
  facts.governor = "performance";
  facts.affinity = "0-3";
  facts.cores = facts.online = facts.threads = 4;
  return facts;
}

Finding about(const LoadFacts& facts, const std::string& subject) {
  for (const Finding& finding : judge(facts))
    if (finding.subject == subject) return finding;
  return {};
}

TEST(DoctorLoad, FindsNothingWrongWithAQuietMachine) {
  for (const Finding& finding : judge(quiet())) {
    EXPECT_EQ(finding.health, Health::good) << finding.subject;
    EXPECT_FALSE(finding.text.empty()) << finding.subject;
  }
}

TEST(DoctorLoad, FindsWhatDisturbsEachWithItsRemedy) {
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
    const Finding finding = about(facts, one.subject);
    EXPECT_EQ(finding.health, Health::note) << one.subject << ": disturbs, and is no defect";
    EXPECT_NE(finding.text.find(one.text), std::string::npos) << finding.text;
    EXPECT_NE(finding.remedy.find(one.remedy), std::string::npos) << finding.remedy;
  }
}

}  // namespace
}  // namespace gpp
