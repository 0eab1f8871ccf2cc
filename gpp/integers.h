// Chooses the empty bands and groups for integer moments (step v14, gpp/forms/integers.h).
#pragma once

#include <cmath>
#include <vector>

#include "gpp/moments.h"

namespace gpp {

/// The first G' use moments in FP64. They have the largest weights, since a rank's G' are sorted by
/// length and vcoul falls as its square, and the cancellation of errors depends on them.
inline constexpr int heavy_igp = 16;

/// The largest error of the integer series, relative to its first term. `u` is h w of the form, in
/// [0, 1).
double integer_truncation(double u);

/// The error from dropped digits, relative to the sum of |aqsn aqsm| over the group's `bands`: the
/// root mean square over pairs of G and G', for rows with the assumed range.
double digit_error(double u, int bands);

/// The assumed range of a row's numbers in a group of bands: the largest component over the mean of
/// the bands' larger components. Errors grow with the product of the ranges of aqsn and aqsm. If
/// the root mean square of this product is larger than assumed, the sums are not used. Generated
/// inputs have 3.6 for 16 bands and 0.8 more per doubling.
GPP_HOST_DEVICE inline double assumed_range(int bands) {
  return 1.0 + 0.8 * std::log2(1.0 * bands);
}

struct IntegerPlan : BandGroups {
  double estimate = 0;  ///< standard deviation of the error, as a share of sum |term|
};

/// The estimated error must be this factor below the allowed error, which is 1e-12 of the checker's
/// scale. That scale is at least 1e-4 of sum |term|.
inline constexpr double integer_margin = 2.5;
inline constexpr double largest_estimate = 1e-12 * 1e-4 / integer_margin;

/// Estimates the error of the groups. Errors of pairs of G and G' and of groups are independent, so
/// their squares add up, weighted by the distribution of the poles.
double estimated_error(const FactoredProblem& problem, const std::vector<MomentGroup>& groups);

/// Chooses the widest groups with a small enough error estimate, or none if FP64 moments cost less.
/// Needs the problem's empty bands, wx, poles and FP64 moments in host memory.
IntegerPlan plan_integers(const FactoredProblem& problem);

}  // namespace gpp
