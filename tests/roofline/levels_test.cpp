// How plateaus become the ceilings of named levels.
#include "roofline/ceilings/levels.h"

#include <gtest/gtest.h>

#include <cmath>

namespace roofline {
namespace {

/// A staircase: `length` points at each rate, working sets doubling from 1 KiB.
std::vector<SweepPoint> staircase(const std::vector<double>& rates, int length) {
  std::vector<SweepPoint> sweep;
  double bytes = 1024;
  for (const double rate : rates)
    for (int i = 0; i < length; ++i, bytes *= 2) sweep.push_back({bytes, rate});
  return sweep;
}

std::vector<LevelDescription> four_levels(bool capacities) {
  // Five points of the staircase fit each cache.
  return {{"l1", "L1", capacities ? 16384.0 : 0.0, 100e9},
          {"l2", "L2", capacities ? 524288.0 : 0.0, 50e9},
          {"l3", "L3", capacities ? 16777216.0 : 0.0, {}},
          {"dram", "DRAM", 0, {}}};
}

std::vector<std::string> names(const std::vector<Ceiling>& ceilings) {
  std::vector<std::string> all;
  for (const Ceiling& ceiling : ceilings) all.push_back(ceiling.name);
  return all;
}

using Names = std::vector<std::string>;

TEST(Levels, EveryPlateauIsOneWhenThereAreAsMany) {
  const auto found =
      ceilings_of_sweep(staircase({80e9, 40e9, 20e9, 10e9}, 5), four_levels(true), 2000, "read");
  ASSERT_EQ(names(found), (Names{"l1", "l2", "l3", "dram"}));
  EXPECT_DOUBLE_EQ(found[1].measured, 40e9);
  EXPECT_EQ(found[0].theoretical, 100e9);
  EXPECT_FALSE(found[3].theoretical);
  EXPECT_EQ(found[2].label, "L3");
  EXPECT_EQ(found[2].kind, CeilingKind::bandwidth);
  EXPECT_EQ(found[2].clock_mhz, 2000);
  EXPECT_EQ(found[2].definition, "read");
}

TEST(Levels, AMissingLevelInTheMiddleIsToldByCapacity) {
  // 1 KiB .. 16 KiB, then 32 KiB .. 16 MiB at one rate: the middle lies in L3's share or in L2's.
  std::vector<SweepPoint> sweep = staircase({80e9, 40e9, 40e9, 10e9}, 5);
  for (std::size_t i = 5; i < 9; ++i) sweep[i].rate = 60e9 - 2e9 * static_cast<double>(i * i);
  EXPECT_EQ(names(ceilings_of_sweep(sweep, four_levels(true), 0, "")), (Names{"l1", "l3", "dram"}));
  EXPECT_EQ(names(ceilings_of_sweep(staircase({80e9, 40e9, 10e9}, 5), four_levels(true), 0, "")),
            (Names{"l1", "l2", "dram"}));
}

TEST(Levels, WithoutCapacitiesTheOrderDecides) {
  EXPECT_EQ(names(ceilings_of_sweep(staircase({80e9, 40e9, 10e9}, 5), four_levels(false), 0, "")),
            (Names{"l1", "l2", "dram"}));
}

TEST(Levels, TwoPlateausAreTheFirstAndTheLast) {
  EXPECT_EQ(names(ceilings_of_sweep(staircase({80e9, 10e9}, 8), four_levels(true), 0, "")),
            (Names{"l1", "dram"}));
}

TEST(Levels, APlateauThatEndsLongBeforeTheSweepIsNotItsLastLevel) {
  auto sweep = staircase({80e9, 40e9, 20e9}, 5);
  for (int i = 1; i <= 5; ++i)  // falls to the end, flat nowhere
    sweep.push_back({sweep[14].bytes * std::pow(2.0, i), 20e9 * std::pow(0.5, i)});
  EXPECT_EQ(names(ceilings_of_sweep(sweep, four_levels(true), 0, "")), (Names{"l1", "l2", "l3"}));
}

TEST(Levels, ALevelLeftForEachPlateau) {
  // Both middles lie beyond L2 by capacity, and yet there are two plateaus: L2 and L3.
  auto sweep = staircase({80e9, 40e9, 20e9, 10e9}, 5);
  for (SweepPoint& point : sweep) point.bytes *= 64;
  EXPECT_EQ(names(ceilings_of_sweep(sweep, four_levels(true), 0, "")),
            (Names{"l1", "l2", "l3", "dram"}));
}

TEST(Levels, NoPlateauGivesNoCeiling) {
  EXPECT_TRUE(ceilings_of_sweep({}, four_levels(true), 0, "").empty());
}

TEST(Levels, EveryPointOfTheSweepIsInExactlyOneCeilingInOrder) {
  const auto sweep = staircase({80e9, 40e9, 20e9, 10e9}, 5);
  std::vector<SweepPoint> joined;
  for (const Ceiling& ceiling : ceilings_of_sweep(sweep, four_levels(true), 0, ""))
    joined.insert(joined.end(), ceiling.sweep.begin(), ceiling.sweep.end());
  ASSERT_EQ(joined.size(), sweep.size());
  for (std::size_t i = 0; i < sweep.size(); ++i) EXPECT_EQ(joined[i].bytes, sweep[i].bytes);
}

}  // namespace
}  // namespace roofline
