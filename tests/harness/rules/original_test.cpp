// The original program's absolute verdict.
#include "harness/rules/original.h"

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
