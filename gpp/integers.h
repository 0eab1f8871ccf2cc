// Which empty bands become moments in integers (step v14, gpp/forms/integers.h), in which groups.
#pragma once

#include <cmath>
#include <vector>

#include "gpp/band_groups.h"

namespace gpp {

/// The first G' are left to moments in FP64: they weigh most, since a rank's G' are sorted by
/// length and vcoul falls as its square. How well the others' errors cancel depends on them.
inline constexpr int heavy_igp = 16;

/// The largest error of the series in integers, as a share of its first term. `u` is h w of the
/// form, in [0, 1).
double integer_truncation(double u);

/// What the digits of a group lack, as a share of the sum of |aqsn aqsm| over its bands: the root
/// of the mean square over pairs of G and G'. `bands` of them, on rows of the range that is
/// assumed.
double digit_error(double u, int bands);

/// The range of a row's numbers in a group of bands: the largest component over the mean of its
/// bands' larger components. An error goes as its product for aqsn and aqsm. The plan assumes this;
/// where the ranges' product is larger in the root of the mean square, the sums are not taken.
/// Generated inputs have 3.6 for 16 bands and 0.8 more for each doubling.
GPP_HOST_DEVICE inline double assumed_range(int bands) {
  return 1.0 + 0.8 * std::log2(1.0 * bands);
}

struct IntegerPlan : BandGroups {
  double estimate = 0;  ///< of the error, as a share of sum |term|: one standard deviation
};

/// So many times the estimate stays below what the error may be: 1e-12 of what the checker scales
/// by, and that is 1e-4 of sum |term| at least.
inline constexpr double integer_margin = 2.5;
inline constexpr double largest_estimate = 1e-12 * 1e-4 / integer_margin;

/// The estimate for such groups: the errors of pairs of G and G' and of groups are independent, and
/// so their squares add up, weighted by where the poles lie.
double estimated_error(const FactoredProblem& problem, const std::vector<MomentGroup>& groups);

/// Chooses the widest groups whose estimate holds. None where moments in FP64 cost less. Needs the
/// problem's empty bands, wx, poles and moments in FP64, in host memory.
IntegerPlan plan_integers(const FactoredProblem& problem);

}  // namespace gpp
