// The model against numbers computed by hand and against published ones.
#include "roofline/model.h"

#include <limits>
#include <numeric>

#include "tests/text.h"

namespace roofline::test {
namespace {

Ceiling ceiling(const std::string& name, CeilingKind kind, double measured) {
  Ceiling ceiling;
  ceiling.name = name;
  ceiling.kind = kind;
  ceiling.measured = measured;
  return ceiling;
}
Ceiling peak(double flop_per_s) { return ceiling("fp64_fma", CeilingKind::compute, flop_per_s); }
Ceiling bandwidth(const std::string& name, double bytes_per_s) {
  return ceiling(name, CeilingKind::bandwidth, bytes_per_s);
}

/// 1000 FLOP/s; l1 400, l2 100, dram 20 B/s: ridges at 2.5, 10 and 50 FLOP/B.
Ceilings round_numbers() {
  Ceilings ceilings;
  ceilings.list = {peak(1000), bandwidth("l1", 400), bandwidth("l2", 100), bandwidth("dram", 20)};
  return ceilings;
}

Activity work(double flop, double seconds, const std::vector<Traffic>& traffic) {
  Activity activity;
  activity.flop = flop;
  activity.seconds = seconds;
  activity.traffic = traffic;
  return activity;
}

/// 2000 FLOP in 10 s with intensities 1, 5 and 40 FLOP/B.
Activity sound() { return work(2000, 10, {{"l1", 2000}, {"l2", 400}, {"dram", 50}}); }

RooflinePoint placed_point(const Activity& activity, const Ceilings& ceilings = round_numbers()) {
  const auto point = roofline_point(activity, ceilings);
  EXPECT_TRUE(point);
  return point.value_or(RooflinePoint{});
}

std::string defects_of(const Activity& activity, const Ceilings& ceilings = round_numbers()) {
  const RooflinePoint point = placed_point(activity, ceilings);
  return std::accumulate(point.defects.begin(), point.defects.end(), std::string());
}

TEST(Model, PlacesWorkLevelByLevel) {
  const RooflinePoint point = placed_point(sound());
  EXPECT_DOUBLE_EQ(point.flop_per_s, 200);
  EXPECT_DOUBLE_EQ(point.percent_of_peak, 20);
  EXPECT_DOUBLE_EQ(point.compute_seconds, 2);
  ASSERT_EQ(point.levels.size(), 3u);
  const LevelPoint& l1 = point.levels[0];
  EXPECT_EQ(l1.level, "l1");
  EXPECT_DOUBLE_EQ(l1.bytes, 2000);
  EXPECT_DOUBLE_EQ(l1.intensity, 1);
  EXPECT_DOUBLE_EQ(l1.attainable, 400);
  EXPECT_DOUBLE_EQ(l1.percent, 50);
  EXPECT_DOUBLE_EQ(l1.seconds, 5);
  const LevelPoint& l2 = point.levels[1];
  EXPECT_DOUBLE_EQ(l2.intensity, 5);
  EXPECT_DOUBLE_EQ(l2.attainable, 500);
  EXPECT_DOUBLE_EQ(l2.percent, 40);
  EXPECT_DOUBLE_EQ(l2.seconds, 4);
  const LevelPoint& dram = point.levels[2];
  EXPECT_DOUBLE_EQ(dram.intensity, 40);
  EXPECT_DOUBLE_EQ(dram.attainable, 800);
  EXPECT_DOUBLE_EQ(dram.percent, 25);
  EXPECT_DOUBLE_EQ(dram.seconds, 2.5);
  EXPECT_TRUE(point.defects.empty()) << point.defects.front();
}

TEST(Model, TheLowestRoofOfAllIsTheRoof) {
  const RooflinePoint point = placed_point(sound());
  EXPECT_DOUBLE_EQ(point.percent_of_roof, 50) << "200 of the 400 FLOP/s that l1 allows";
  EXPECT_EQ(point.bound_by, "l1");

  Activity far = sound();
  far.traffic.back().bytes = 150;  // 7.5 s
  EXPECT_EQ(placed_point(far).bound_by, "dram");
  EXPECT_DOUBLE_EQ(placed_point(far).percent_of_roof, 75);
}

TEST(Model, BeyondEveryRidgeArithmeticBinds) {
  Activity activity = sound();
  activity.traffic = {{"l1", 400}, {"l2", 100}, {"dram", 20}};
  const RooflinePoint point = placed_point(activity);
  for (const LevelPoint& level : point.levels) {
    EXPECT_DOUBLE_EQ(level.attainable, 1000) << level.level;
    EXPECT_DOUBLE_EQ(level.percent, 20) << level.level;
  }
  EXPECT_EQ(point.bound_by, "compute");
  EXPECT_DOUBLE_EQ(point.percent_of_roof, 20);
}

TEST(Model, LevelsAreListedNearestFirst) {
  Activity activity = sound();
  std::swap(activity.traffic.front(), activity.traffic.back());
  const RooflinePoint point = placed_point(activity);
  ASSERT_EQ(point.levels.size(), 3u);
  EXPECT_EQ(point.levels[0].level, "l1");
  EXPECT_EQ(point.levels[2].level, "dram");
  EXPECT_TRUE(point.defects.empty());
}

// Yang 2019: v9 did 2.00 TFLOP in 0.57 s, 3.50 TFLOP/s; a V100 reached 7068.9
// GFLOP/s with fused multiply-adds and 3535.8 without.
TEST(Model, AgreesWithTheTutorialOnAV100) {
  Ceilings v100;
  v100.list = {peak(7068.9e9), bandwidth("dram", 800e9)};
  Activity v9 = work(2.00e12, 0.57, {{"dram", 20e9}});
  v9.fma_fraction = 0;
  const RooflinePoint point = placed_point(v9, v100);
  EXPECT_NEAR(point.flop_per_s, 3.50e12, 0.01e12);
  EXPECT_NEAR(point.percent_of_peak, 49.6, 0.1);
  EXPECT_NEAR(point.compute_seconds, 0.283, 0.001);
  ASSERT_TRUE(point.fma_mix_ceiling);
  EXPECT_NEAR(*point.fma_mix_ceiling, 3535.8e9, 2e9);
}

// Yang 2020: 3.7 TFLOP/s are 55% of a peak of 6.7 TFLOP/s, and 70% of the 5.3 TFLOP/s that
// 58% of fused multiply-adds allow.
TEST(Model, AgreesWithThePublishedCustomisedPeak) {
  Ceilings v100;
  v100.list = {peak(6.7e12), bandwidth("dram", 800e9)};
  Activity v8 = work(3.7e12, 1, {{"dram", 1e9}});
  v8.fma_fraction = 0.58;
  const RooflinePoint point = placed_point(v8, v100);
  EXPECT_NEAR(point.percent_of_peak, 55, 0.5);
  ASSERT_TRUE(point.fma_mix_ceiling);
  EXPECT_NEAR(*point.fma_mix_ceiling, 5.3e12, 0.01e12);
  EXPECT_NEAR(100 * point.flop_per_s / *point.fma_mix_ceiling, 70, 0.5);
}

TEST(Model, WhatIsNotKnownIsNotGuessed) {
  EXPECT_FALSE(placed_point(sound()).fma_mix_ceiling);
  EXPECT_FALSE(placed_point(sound()).analytic);
  Activity computed = sound();
  computed.analytic = true;
  EXPECT_TRUE(placed_point(computed).analytic);
}

TEST(Model, WithoutACeilingThereIsNoPoint) {
  for (std::size_t i = 0; i < 4; ++i) {
    Ceilings lacks = round_numbers();
    lacks.list.erase(lacks.list.begin() + static_cast<std::ptrdiff_t>(i));
    EXPECT_FALSE(roofline_point(sound(), lacks)) << i;
    Ceilings unmeasured = round_numbers();
    unmeasured.list[i].measured = 0;
    unmeasured.list[i].theoretical = 1e6;
    EXPECT_FALSE(roofline_point(sound(), unmeasured)) << i << ": what is known in theory only";
  }
  Ceilings confused = round_numbers();
  confused.list[1].kind = CeilingKind::compute;
  EXPECT_FALSE(roofline_point(sound(), confused));
}

TEST(Model, WithoutWorkOrTimeThereIsNoPoint) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double bad : {0.0, -1.0, nan, infinity}) {
    Activity activity = sound();
    activity.flop = bad;
    EXPECT_FALSE(roofline_point(activity, round_numbers())) << "flop " << bad;
    activity = sound();
    activity.seconds = bad;
    EXPECT_FALSE(roofline_point(activity, round_numbers())) << "seconds " << bad;
  }
  for (const double bad : {-1.0, nan, infinity}) {
    Activity activity = sound();
    activity.traffic[1].bytes = bad;
    EXPECT_FALSE(roofline_point(activity, round_numbers())) << "bytes " << bad;
  }
  Activity activity = sound();
  activity.traffic.clear();
  EXPECT_FALSE(roofline_point(activity, round_numbers()));
}

TEST(Model, ALevelThatMovedNothingIsLeftOut) {
  Activity cached = sound();
  cached.traffic.back().bytes = 0;
  const RooflinePoint point = placed_point(cached);
  ASSERT_EQ(point.levels.size(), 2u);
  EXPECT_EQ(point.levels.back().level, "l2");
  EXPECT_DOUBLE_EQ(point.percent_of_roof, 50);
  cached.traffic = {{"dram", 0}};
  EXPECT_FALSE(roofline_point(cached, round_numbers()));
}

TEST(Model, ArithmeticAboveItsPeakIsADefect) {
  Activity activity = sound();
  activity.traffic = {{"l1", 100}, {"l2", 100}, {"dram", 20}};
  activity.seconds = 2 / 1.04;
  EXPECT_EQ(defects_of(activity), "") << "104% lies within the tolerance";
  activity.seconds = 2 / 1.06;
  EXPECT_TRUE(contains_all(defects_of(activity), {"the arithmetic needs 2 s", "(106%)"}));
}

TEST(Model, ALevelThatNeedsLongerThanTheRunIsADefect) {
  Activity activity = sound();
  activity.seconds = 5 / 1.04;
  EXPECT_EQ(defects_of(activity), "");
  activity.seconds = 5 / 1.2;
  EXPECT_TRUE(contains_all(defects_of(activity), {"the traffic of l1 needs 5 s", "(120%)"}));
  EXPECT_EQ(placed_point(activity).defects.size(), 1u) << "l2 and dram still fit";
}

TEST(Model, BytesThatGrowAwayFromTheArithmeticAreADefect) {
  Activity activity = sound();
  activity.traffic[1].bytes = 2080;
  activity.seconds = 30;
  EXPECT_EQ(defects_of(activity), "") << "4% lie within the tolerance";
  activity.traffic[1].bytes = 2200;
  EXPECT_TRUE(contains(defects_of(activity), "l2 moved 2200 B, more than the 2000 B of l1"));
  activity.traffic[1].bytes = 40;
  EXPECT_TRUE(contains(defects_of(activity), "dram moved 50 B, more than the 40 B of l2"));
}

TEST(Model, MoreThanTheMixAllowsIsADefect) {
  Activity activity = sound();
  activity.traffic = {{"l1", 400}, {"l2", 100}, {"dram", 20}};
  activity.fma_fraction = 0.2;
  activity.seconds = 3.3;  // 606 FLOP/s under 600
  EXPECT_EQ(defects_of(activity), "");
  activity.seconds = 2.5;  // 800
  EXPECT_TRUE(contains(defects_of(activity), "share of fused multiply-adds"));
}

TEST(Model, RoofsSayWhatTheyAreMeasuredIn) {
  const auto unit = [](const char* name, CeilingKind kind) {
    return rate_unit({name, "", kind, 1, std::nullopt, 0, "", {}});
  };
  EXPECT_EQ(unit("fp64_fma", CeilingKind::compute), "FLOP/s");
  EXPECT_EQ(unit("fp64_no_fma", CeilingKind::compute), "FLOP/s") << "below a peak";
  EXPECT_EQ(unit("int8_tensor", CeilingKind::compute), "OP/s");
  EXPECT_EQ(unit("dram", CeilingKind::bandwidth), "B/s");
}

}  // namespace
}  // namespace roofline::test
