// The doctor's judgement of what it sees of CUPTI, permission and DCGM.
#include "cli/doctor_checks.h"

#include <algorithm>

#include "tests/text.h"

namespace gpp::test {
namespace {

ProfilingFacts all_well() {
  ProfilingFacts facts;
  facts.cupti = {"/usr/local/cuda/lib64/libcupti.so.13", "13.0", "", ""};
  facts.restricted = false;
  return facts;
}

Finding finding(const ProfilingFacts& facts, const std::string& subject) {
  const std::vector<Finding> all = judge(facts);
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const Finding& one) { return one.subject == subject; });
  return found == all.end() ? Finding{} : *found;
}

TEST(DoctorProfiling, FindsNothingWrongWhereAllIsWell) {
  for (const Finding& one : judge(all_well())) {
    EXPECT_EQ(one.health, Health::good) << one.subject;
    EXPECT_EQ(one.remedy, "") << one.subject;
  }
  EXPECT_EQ(finding(all_well(), "cupti").text,
            "of CUDA 13.0, /usr/local/cuda/lib64/libcupti.so.13");
}

TEST(DoctorProfiling, EveryShortcomingHasARemedy) {
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
  EXPECT_NE(
      finding(facts, "counter permission").remedy.find("NVreg_RestrictProfilingToAdminUsers=0"),
      std::string::npos);
  EXPECT_EQ(finding(facts, "dcgm").health, Health::note);
  EXPECT_NE(finding(facts, "dcgm").remedy.find("dcgmi profile --pause"), std::string::npos);
}

TEST(DoctorProfiling, TellsWhyTheProcessorIsNotCounted) {
  EXPECT_EQ(judge_likwid("").health, Health::good);
  EXPECT_EQ(judge_likwid("").remedy, "");
  EXPECT_EQ(judge_likwid("LIKWID is not installed: apt-get install likwid").health, Health::note);
  EXPECT_EQ(judge_likwid("LIKWID is not installed: apt-get install likwid").remedy,
            "LIKWID is not installed: apt-get install likwid");
}

TEST(DoctorProfiling, WithoutCuptiSaysSoOnce) {
  ProfilingFacts facts = all_well();
  facts.cupti = {"", "", "install it", ""};
  facts.unavailable = "install it";
  EXPECT_EQ(finding(facts, "cupti").remedy, "install it");
  EXPECT_EQ(finding(facts, "recorder").subject, "");
}

TEST(DoctorProfiling, WithoutAGpuOnlyCuptiIsToldOf) {
  ProfilingFacts facts = all_well();
  facts.unavailable = "no driver";
  facts.restricted.reset();
  facts.gpu = false;
  EXPECT_EQ(only(judge(facts)).subject, "cupti");
}

TEST(DoctorProfiling, RestrictionMattersToThoseItConcerns) {
  ProfilingFacts facts = all_well();
  facts.restricted = true;
  facts.administrator = true;
  EXPECT_EQ(finding(facts, "counter permission").health, Health::good);
  facts.restricted.reset();
  EXPECT_EQ(finding(facts, "counter permission").health, Health::note);
}

}  // namespace
}  // namespace gpp::test
