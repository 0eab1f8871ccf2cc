// The original program's absolute verdict.
#include "gpp/study/original.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace gpp {
namespace {

/// Frequencies 2..3, initial sums, and references that the sums of `right` lead to.
Input sample() {
  Input input;
  input.nstart = 2;
  input.nend = 3;
  input.asxtemp[1] = {0.5, -0.25};
  input.asxtempref[1] = {1.5, -0.25};
  input.achtempref[1] = {2, 0};
  input.asxtempref[2] = {3, 1};
  input.achtempref[2] = {4, 0};
  return input;
}

Sums right() {
  Sums sums{};
  sums.asx[0] = {1, 0};
  sums.ach[0] = {2, 0};
  sums.asx[1] = {3, 1};
  sums.ach[1] = {4, 0};
  return sums;
}

TEST(Original, AddsTheInitialSums) {
  const auto verdict = original_verdict(right(), sample());
  ASSERT_TRUE(verdict.has_value());
  EXPECT_TRUE(verdict->correct);
  EXPECT_EQ(verdict->max_difference, 0.0);
}

TEST(Original, JudgesByAbsoluteDifference) {
  Sums sums = right();
  sums.ach[1].im = 0.9e-12;
  EXPECT_TRUE(original_verdict(sums, sample())->correct);
  sums.ach[1].im = 1.1e-12;
  EXPECT_FALSE(original_verdict(sums, sample())->correct);
  EXPECT_NEAR(original_verdict(sums, sample())->max_difference, 1.1e-12, 1e-18);
}

/// The original program adds up the differences of its first and its last frequency.
TEST(Original, AddsTheDifferencesOfBothFrequencies) {
  Sums sums = right();
  sums.asx[0].re += 0.7e-12;
  EXPECT_TRUE(original_verdict(sums, sample())->correct);
  sums.ach[1].re += 0.7e-12;
  EXPECT_TRUE(original_verdict(sums, sample())->correct) << "asx and ach are judged apart";
  sums.asx[1].re -= 0.7e-12;
  EXPECT_FALSE(original_verdict(sums, sample())->correct);
  EXPECT_NEAR(original_verdict(sums, sample())->max_difference, 1.4e-12, 1e-15);
}

TEST(Original, CountsASingleFrequencyTwice) {
  Input input = sample();
  input.nend = 2;
  Sums sums = right();
  sums.asx[0].re += 0.6e-12;
  EXPECT_FALSE(original_verdict(sums, input)->correct);
}

TEST(Original, LeavesTheMiddleOneOfThreeFrequenciesOut) {
  Input input = sample();
  input.nstart = 1;
  Sums sums{};
  sums.asx[1] = {1e-3, 0};
  sums.asx[2] = {3, 1};
  sums.ach[2] = {4, 0};
  EXPECT_TRUE(original_verdict(sums, input)->correct);
}

/// The reference of a sample without terms to speak of: rounding explains nothing.
Reference reference_of(const Sums& sums) {
  Reference reference;
  reference.sums = sums;
  return reference;
}

TEST(Disagreement, IsToldWithItsPlace) {
  Input input = sample();
  input.ncouls = input.ngpown = input.peinf_ntband_dist = 1;
  EXPECT_EQ(disagreement(reference_of(right()), input), "");
  Sums sums = right();
  sums.ach[1].im += 1e-11;
  const std::string text = disagreement(reference_of(sums), input);
  EXPECT_NE(text.find("ach at frequency 3 differs from record 18"), std::string::npos) << text;
  sums = right();
  sums.asx[0].re = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(disagreement(reference_of(sums), input), "");
}

TEST(Disagreement, IsNoneWhereAPlainSumMayErrAsMuch) {
  Input input = sample();
  input.ncouls = input.ngpown = input.peinf_ntband_dist = 1000;
  Reference reference = reference_of(right());
  reference.sums.asx[0].re += 1e-11;
  EXPECT_NE(disagreement(reference, input), "");
  reference.magnitude.asx[0].re = 10;  // of 1e9 terms: 2.2e-16 x 3e4 x 10
  EXPECT_EQ(disagreement(reference, input), "");
}

TEST(Disagreement, IsNoneWithoutAReference) {
  Input input = sample();
  input.asxtempref = input.achtempref = {};
  EXPECT_EQ(disagreement(reference_of(right()), input), "");
}

TEST(Original, FailsNan) {
  Sums sums = right();
  sums.asx[0].re = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(original_verdict(sums, sample())->correct);
  EXPECT_TRUE(std::isinf(original_verdict(sums, sample())->max_difference));
}

TEST(Original, SaysNothingWithoutAReference) {
  Input input = sample();
  input.asxtempref = input.achtempref = {};
  EXPECT_FALSE(original_verdict(right(), input).has_value());
}

}  // namespace
}  // namespace gpp
