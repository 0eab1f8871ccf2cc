// The check must let right sums pass and nothing else.
#include "gpp/study/check.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace gpp {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

/// Two frequencies; every component of its own size, none of it cancelled.
Reference sample() {
  Reference reference;
  for (int iw = 0; iw < 2; ++iw) {
    reference.sums.asx[iw] = {0.25 + iw, -3.0};
    reference.sums.ach[iw] = {-7.5, 0.125 * (1 + iw)};
    reference.magnitude.asx[iw] = {0.25 + iw, 3.0};
    reference.magnitude.ach[iw] = {7.5, 0.125 * (1 + iw)};
  }
  return reference;
}

/// The 8 real numbers of the first two frequencies.
double& component(Sums& sums, int index) {
  Complex& value = index < 4 ? sums.asx[index / 2] : sums.ach[(index - 4) / 2];
  return index % 2 == 0 ? value.re : value.im;
}

TEST(Check, PassesTheReferenceItselfAtToleranceZero) {
  const Reference reference = sample();
  const Check verdict = check(reference.sums, reference, 2, 0.0);
  EXPECT_TRUE(verdict.passed) << verdict.reason;
  EXPECT_EQ(verdict.max_relative_error, 0.0);
  EXPECT_TRUE(verdict.reason.empty());
}

TEST(Check, MeasuresEveryComponentRelativeToItself) {
  const Reference reference = sample();
  for (int index = 0; index < 8; ++index) {
    Sums sums = reference.sums;
    component(sums, index) *= 1 + 1e-8;
    const Check verdict = check(sums, reference, 2, 1e-10);
    EXPECT_FALSE(verdict.passed) << "component " << index;
    EXPECT_NEAR(verdict.max_relative_error, 1e-8, 1e-14) << "component " << index;
    EXPECT_TRUE(check(sums, reference, 2, 2e-8).passed) << "component " << index;
  }
}

TEST(Check, ReportsTheWorstComponent) {
  const Reference reference = sample();
  Sums sums = reference.sums;
  sums.asx[0].re *= 1 + 1e-6;
  sums.ach[1].im *= 1 + 1e-3;
  const Check verdict = check(sums, reference, 2, 1e-10);
  EXPECT_NEAR(verdict.max_relative_error, 1e-3, 1e-9);
  EXPECT_NE(verdict.reason.find("ach at frequency 2 of 2, imaginary part"), std::string::npos)
      << verdict.reason;
}

TEST(Check, FailsNanAndInfinityAtAnyTolerance) {
  const Reference reference = sample();
  for (const double bad : {nan, infinity, -infinity})
    for (int index = 0; index < 8; ++index) {
      Sums sums = reference.sums;
      component(sums, index) = bad;
      const Check verdict = check(sums, reference, 2, infinity);
      EXPECT_FALSE(verdict.passed) << bad << " in component " << index;
      EXPECT_EQ(verdict.max_relative_error, infinity);
      EXPECT_FALSE(verdict.reason.empty());
    }
}

TEST(Check, FailsAReferenceThatIsNoNumber) {
  Reference reference = sample();
  reference.sums.asx[0].re = nan;
  const Check verdict = check(reference.sums, reference, 2, 1.0);
  EXPECT_FALSE(verdict.passed);
  EXPECT_NE(verdict.reason.find("reference"), std::string::npos) << verdict.reason;
}

TEST(Check, JudgesWhatCancelsByWhatWasAddedUp) {
  Reference reference = sample();
  reference.sums.asx[0].re = 1e-9;
  reference.magnitude.asx[0] = {0.6, 0.8};  // a modulus of 1: floor 1e-4
  Sums sums = reference.sums;
  sums.asx[0].re += 0.9e-14;
  EXPECT_TRUE(check(sums, reference, 2, 1e-10).passed);
  EXPECT_NEAR(check(sums, reference, 2, 1e-10).max_relative_error, 0.9e-10, 1e-14);
  sums.asx[0].re += 0.2e-14;
  EXPECT_FALSE(check(sums, reference, 2, 1e-10).passed);
}

/// Rounding mixes the parts of a complex product: what is exactly 0 in one part may leave some of
/// the other's last digit.
TEST(Check, JudgesAPartThatVanishesByTheOtherOne) {
  Reference reference = sample();
  reference.sums.ach[0].im = reference.magnitude.ach[0].im = 0.0;  // the real part is 7.5
  Sums sums = reference.sums;
  sums.ach[0].im = 4e-20;
  EXPECT_TRUE(check(sums, reference, 2, 1e-10).passed);
  sums.ach[0].im = 1.1e-14 * 7.5;
  EXPECT_FALSE(check(sums, reference, 2, 1e-10).passed);
}

TEST(Check, AllowsForWhatRoundingDecides) {
  Reference reference = sample();
  reference.ties.asx[1].re = 1e-3;
  Sums sums = reference.sums;
  sums.asx[1].re += 1e-3;
  EXPECT_TRUE(check(sums, reference, 2, 1e-10).passed);
  EXPECT_LT(check(sums, reference, 2, 1e-10).max_relative_error, 1e-15);
  sums.asx[1].re += 1e-6;
  EXPECT_FALSE(check(sums, reference, 2, 1e-10).passed);
  sums = reference.sums;
  sums.asx[1].im += 1e-3;
  EXPECT_FALSE(check(sums, reference, 2, 1e-10).passed) << "a tie of the real part alone";
}

TEST(Check, DemandsExactZeroWhereNothingWasAdded) {
  Reference reference = sample();
  reference.sums.asx[1] = reference.magnitude.asx[1] = {0.0, 0.0};
  Sums sums = reference.sums;
  EXPECT_TRUE(check(sums, reference, 2, 1e-10).passed);
  sums.asx[1].im = -0.0;
  EXPECT_TRUE(check(sums, reference, 2, 1e-10).passed);
  sums.asx[1].im = 1e-300;
  const Check verdict = check(sums, reference, 2, 1e10);
  EXPECT_FALSE(verdict.passed);
  EXPECT_NE(verdict.reason.find("0 is due"), std::string::npos) << verdict.reason;
}

TEST(Check, DemandsZeroBeyondTheFrequencies) {
  const Reference reference = sample();
  Sums sums = reference.sums;
  sums.ach[2].re = 1e-30;
  const Check verdict = check(sums, reference, 2, 1e-10);
  EXPECT_FALSE(verdict.passed);
  EXPECT_NE(verdict.reason.find("ach beyond the last frequency"), std::string::npos);
  sums = reference.sums;
  EXPECT_FALSE(check(sums, reference, 1, 1e-10).passed) << "frequency 2 holds a number";
}

TEST(Difference, IsRelativeToTheLargestComponent) {
  const Sums due = sample().sums;  // ach: -7.5 + 0.25 i, the largest
  const double size = std::hypot(7.5, 0.25);
  EXPECT_EQ(difference(due, due), 0.0);
  EXPECT_EQ(difference({}, {}), 0.0);
  for (int index = 0; index < 8; ++index) {
    Sums sums = due;
    component(sums, index) += 0.5;
    EXPECT_DOUBLE_EQ(difference(sums, due), 0.5 / size) << index;
  }
  Sums sums{};
  sums.asx[2].im = 1;
  EXPECT_EQ(difference(sums, {}), infinity) << "nothing is due";
}

/// A comparison with NaN is false, and a maximum may drop it.
TEST(Difference, OfWhatIsNotFiniteIsInfinite) {
  const Sums due = sample().sums;
  for (const double wrong : {nan, infinity, -infinity})
    for (int index = 0; index < 8; ++index) {
      Sums sums = due;
      component(sums, index) = wrong;
      EXPECT_EQ(difference(sums, due), infinity) << wrong << " at " << index;
      EXPECT_EQ(difference(due, sums), infinity) << wrong << " due at " << index;
      EXPECT_EQ(difference(sums, sums), infinity) << wrong << " in both at " << index;
    }
}

}  // namespace
}  // namespace gpp
