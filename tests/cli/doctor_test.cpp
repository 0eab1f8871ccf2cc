// The doctor's judgement of what it sees.
#include "cli/doctor_checks.h"

#include <gtest/gtest.h>

namespace gpp {
namespace {

TEST(Doctor, KnowsWhichDriversRunWhichToolkits) {
  EXPECT_EQ(cuda_mismatch("570.86.15", "12.6.20"), "");
  EXPECT_EQ(cuda_mismatch("525.60.13", "12.9"), "");
  EXPECT_NE(cuda_mismatch("525.60.12", "12.4").find("525.60.13"), std::string::npos);
  EXPECT_NE(cuda_mismatch("470.82", "12.4"), "");
  EXPECT_NE(cuda_mismatch("570.86.15", "13.0.48").find("580.65.06"), std::string::npos);
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

}  // namespace
}  // namespace gpp
