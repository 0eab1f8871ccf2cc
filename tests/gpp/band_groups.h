// Properties of groups of empty bands, for the tests of their plans.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "gpp/forms/real_poles.h"
#include "gpp/moments.h"

namespace gpp::test {

/// Points from -1 to 1.
inline std::vector<double> sweep() {
  std::vector<double> ys;
  for (int i = -100; i <= 100; ++i) ys.push_back(0.01 * i);
  return ys;
}

/// Expects the group's bands within it at every frequency, and all poles clear of it.
inline void expect_covered(const FactoredProblem& problem, const MomentGroup& group,
                           const MomentBand* bands) {
  const auto lowest = make_real_pole(Complex{problem.poles.lowest, 0.0}, problem.limits);
  for (int i = 0; i < group.bands; ++i) {
    const auto [n1, t] = bands[i];
    if (n1 < 0) {
      EXPECT_GE(i, group.bands - moment_step + 1) << "more than fills the last step up";
      EXPECT_EQ(n1, -1);
      EXPECT_EQ(t, 0.0);
      continue;
    }
    for (int iw = 0; iw < problem.nfreq; ++iw) {
      const double x = problem.wx_array(iw, n1);
      const double rounding = 1e-14 * (std::abs(x) + std::abs(group.centre[iw]));
      EXPECT_LE(std::abs(x - group.centre[iw]), group.half_width + rounding);
      EXPECT_NEAR(x, group.centre[iw] + t, rounding);
      EXPECT_TRUE(is_clear_of(lowest, x)) << x;
    }
  }
}

/// Expects that every empty band is in exactly one group or is summed by itself.
inline void expect_sound_groups(const FactoredProblem& problem, const BandGroups& plan) {
  std::size_t first = 0;
  for (const MomentGroup& group : plan.groups) {
    EXPECT_GT(group.bands, 0);
    EXPECT_EQ(group.bands % moment_step, 0);
    EXPECT_TRUE(is_clear(problem, group));
    ASSERT_LE(first + static_cast<std::size_t>(group.bands), plan.bands.size());
    expect_covered(problem, group, plan.bands.data() + first);
    first += static_cast<std::size_t>(group.bands);
  }
  EXPECT_EQ(first, plan.bands.size());
  EXPECT_TRUE(std::is_sorted(plan.other_bands.begin(), plan.other_bands.end()));
  std::vector<int> placed = plan.other_bands;
  for (const MomentBand& band : plan.bands)
    if (band.n1 >= 0) placed.push_back(band.n1);
  std::sort(placed.begin(), placed.end());
  EXPECT_EQ(placed, std::vector<int>(problem.empty_bands.data,
                                     problem.empty_bands.data + problem.empty_bands.size));
}

}  // namespace gpp::test
