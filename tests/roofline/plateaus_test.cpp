// Plateaus of sweeps whose levels are known because they were made.
#include "roofline/ceilings/levels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace roofline {
namespace {

constexpr double kib = 1024;

/// One level of a made hierarchy.
struct Level {
  double capacity;  ///< bytes; the last one's does not matter
  double rate;      ///< B/s
};

/// Reading cyclically through a working set: up to a level's capacity at its rate, above it slower
/// and slower within `width` (a factor), until only the next level serves.
double rate_at(double bytes, const std::vector<Level>& levels, double width) {
  for (std::size_t i = 0; i + 1 < levels.size(); ++i) {
    if (bytes <= levels[i].capacity) return levels[i].rate;
    if (bytes < width * levels[i].capacity) {
      const double share = std::log(bytes / levels[i].capacity) / std::log(width);
      return 1.0 / ((1.0 - share) / levels[i].rate + share / levels[i + 1].rate);
    }
  }
  return levels.back().rate;
}

/// Four points an octave from 8 KiB to 1 GiB, each off by up to `noise`.
std::vector<SweepPoint> made_sweep(const std::vector<Level>& levels, double width, double noise,
                                   unsigned seed = 1) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> error(-noise, noise);
  std::vector<SweepPoint> sweep;
  for (int step = 0; step <= 4 * 17; ++step) {
    const double bytes = 8 * kib * std::pow(2.0, 0.25 * step);
    sweep.push_back({bytes, rate_at(bytes, levels, width) * (1.0 + error(random))});
  }
  return sweep;
}

const std::vector<Level> two_levels = {{256 * kib, 30e12}, {0, 5e12}};
const std::vector<Level> three_levels = {{192 * kib, 33e12}, {32 * kib * kib, 5.7e12}, {0, 4.3e12}};
const std::vector<Level> four_levels = {
    {48 * kib, 500e9}, {2048 * kib, 200e9}, {64 * kib * kib, 60e9}, {0, 15e9}};

/// Exactly these levels, each within `tolerance` and none reaching beyond its own capacity.
void expect_levels(const std::vector<SweepPoint>& sweep, const std::vector<Level>& levels,
                   double tolerance) {
  const std::vector<Plateau> found = find_plateaus(sweep, 4);
  ASSERT_EQ(found.size(), levels.size());
  for (std::size_t i = 0; i < levels.size(); ++i) {
    EXPECT_NEAR(found[i].rate / levels[i].rate, 1.0, tolerance) << "level " << i;
    if (i + 1 < levels.size()) {
      EXPECT_LE(sweep[found[i].last].bytes, 1.5 * levels[i].capacity) << "level " << i;
    }
    if (i > 0) {
      EXPECT_GT(sweep[found[i].first].bytes, levels[i - 1].capacity) << "level " << i;
    }
  }
}

TEST(Plateaus, FindsTwoThreeAndFourLevelsWithSlopesBetween) {
  for (const auto& levels : {two_levels, three_levels, four_levels})
    for (const double width : {1.01, 2.0, 4.0}) {
      SCOPED_TRACE(testing::Message() << levels.size() << " levels, width " << width);
      expect_levels(made_sweep(levels, width, 0.0), levels, 0.02);
    }
}

TEST(Plateaus, FindsThemUnderNoise) {
  for (unsigned seed = 1; seed <= 8; ++seed)
    for (const auto& levels : {two_levels, three_levels, four_levels}) {
      SCOPED_TRACE(testing::Message() << levels.size() << " levels, seed " << seed);
      expect_levels(made_sweep(levels, 2.0, 0.04, seed), levels, 0.04);
    }
}

TEST(Plateaus, AnOddPointAnywhereChangesNothing) {
  const auto sweep = made_sweep(four_levels, 2.0, 0.01);
  for (std::size_t i = 0; i < sweep.size(); i += 3)
    for (const double factor : {0.1, 0.6}) {
      SCOPED_TRACE(testing::Message() << "point " << i << " times " << factor);
      auto odd = sweep;
      odd[i].rate *= factor;
      expect_levels(odd, four_levels, 0.03);
    }
}

TEST(Plateaus, FindsALevelThatIsNoisierThanTheOthers) {
  for (unsigned seed = 1; seed <= 10; ++seed) {
    auto sweep = made_sweep(four_levels, 2.0, 0.005, seed);
    const auto noisy = made_sweep(four_levels, 2.0, 0.12, seed);
    std::copy(noisy.end() - 12, noisy.end(), sweep.end() - 12);
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    expect_levels(sweep, four_levels, 0.08);
  }
}

TEST(Plateaus, ALevelThatIsNotThereIsNotReported) {
  EXPECT_EQ(find_plateaus(made_sweep({{0, 5e9}}, 2.0, 0.03), 4).size(), 1u);
  EXPECT_EQ(find_plateaus(made_sweep(two_levels, 2.0, 0.03), 4).size(), 2u);
}

TEST(Plateaus, NeighboursWithinAFewPercentAreOneLevel) {
  ASSERT_EQ(find_plateaus(made_sweep({{1024 * kib, 5.2e9}, {0, 5e9}}, 2.0, 0.0), 4).size(), 1u);
}

TEST(Plateaus, FindsNoMoreThanAskedFor) {
  EXPECT_EQ(find_plateaus(made_sweep(four_levels, 1.01, 0.0), 2).size(), 2u);
}

TEST(Plateaus, ASlopeIsNoPlateau) {
  std::vector<SweepPoint> slope;
  for (int i = 0; i < 40; ++i) slope.push_back({kib * std::pow(2.0, 0.25 * i), 1e12 / (i + 1.0)});
  for (const Plateau& plateau : find_plateaus(slope, 4))
    EXPECT_GT(plateau.first, 20u);  // 1/n flattens out
  std::vector<SweepPoint> steep;
  for (int i = 0; i < 40; ++i)
    steep.push_back({kib * std::pow(2.0, 0.25 * i), 1e12 * std::pow(2.0, -0.25 * i)});
  EXPECT_TRUE(find_plateaus(steep, 4).empty());
}

TEST(Plateaus, PassesOverWhatIsNoRate) {
  auto sweep = made_sweep(two_levels, 2.0, 0.0);
  sweep[3].rate = 0;
  sweep[40].rate = std::nan("");
  expect_levels(sweep, two_levels, 0.02);
}

TEST(Plateaus, TooFewPointsGiveNone) {
  EXPECT_TRUE(find_plateaus({}, 4).empty());
  EXPECT_TRUE(find_plateaus({{kib, 1e9}, {2 * kib, 1e9}}, 4).empty());
  EXPECT_TRUE(find_plateaus(made_sweep(two_levels, 2.0, 0.0), 0).empty());
}

}  // namespace
}  // namespace roofline
