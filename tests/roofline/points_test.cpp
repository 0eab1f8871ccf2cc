// Tests of the model with numbers computed by hand and published ones; of points per precision:
// shares, order, reasons.
#include <algorithm>
#include <limits>
#include <numeric>
#include <string>

#include "roofline/points.h"
#include "roofline/view/roofline_chart.h"
#include "tests/roofline/sample_chart.h"
#include "tests/text.h"

namespace roofline::test {
namespace {

Ceiling peak(double flop_per_s) {
  return {"fp64_fma", "", CeilingKind::compute, flop_per_s, {}, 0, "", {}};
}
Ceiling bandwidth(const std::string& name, double bytes_per_s) {
  return {name, "", CeilingKind::bandwidth, bytes_per_s, {}, 0, "", {}};
}

/// 1000 FLOP/s; l1 400, l2 100, dram 20 B/s: ridges at 2.5, 10 and 50 FLOP/B.
Ceilings round_numbers() {
  Ceilings ceilings;
  ceilings.list = {peak(1000), bandwidth("l1", 400), bandwidth("l2", 100), bandwidth("dram", 20)};
  return ceilings;
}

/// 2000 FLOP with intensities 1, 5 and 40 FLOP/B, in 10 s.
const Metrics sound = {{"fp64_flop", 2000},
                       {"l1_bytes", 2000},
                       {"shared_bytes", 0},
                       {"l2_sm_bytes", 400},
                       {"dram_bytes", 50}};

Metrics with_bytes(double l1, double l2, double dram) {
  Metrics metrics = sound;
  metrics["l1_bytes"] = l1;
  metrics["l2_sm_bytes"] = l2;
  metrics["dram_bytes"] = dram;
  return metrics;
}

RooflinePoints placed(const Metrics& metrics, double seconds = 10,
                      const Ceilings& ceilings = round_numbers()) {
  return roofline_points(metrics, seconds, CountedBy::cupti, ceilings);
}

RooflinePoint placed_point(const Metrics& metrics, double seconds = 10,
                           const Ceilings& ceilings = round_numbers()) {
  return only(placed(metrics, seconds, ceilings).points);
}

std::string defects_of(const Metrics& metrics, double seconds = 10) {
  const RooflinePoint point = placed_point(metrics, seconds);
  return std::accumulate(point.defects.begin(), point.defects.end(), std::string());
}

TEST(Model, PlacesWorkLevelByLevelAndTheLowestRoofOfAllIsTheRoof) {
  const RooflinePoint point = placed_point(sound);
  EXPECT_DOUBLE_EQ(point.flop_per_s, 200);
  EXPECT_DOUBLE_EQ(point.percent_of_peak, 20);
  EXPECT_DOUBLE_EQ(point.compute_seconds, 2);
  const LevelPoint expected[] = {
      {"l1", 2000, 1, 400, 50, 5}, {"l2", 400, 5, 500, 40, 4}, {"dram", 50, 40, 800, 25, 2.5}};
  ASSERT_EQ(point.levels.size(), std::size(expected));
  for (std::size_t i = 0; i < std::size(expected); ++i) {
    EXPECT_EQ(point.levels[i].level, expected[i].level);
    for (double LevelPoint::*number :
         {&LevelPoint::bytes, &LevelPoint::intensity, &LevelPoint::attainable, &LevelPoint::percent,
          &LevelPoint::seconds})
      EXPECT_DOUBLE_EQ(point.levels[i].*number, expected[i].*number) << expected[i].level;
  }
  EXPECT_TRUE(point.defects.empty()) << point.defects.front();
  EXPECT_DOUBLE_EQ(point.percent_of_roof, 50) << "200 of the 400 FLOP/s that l1 allows";
  EXPECT_EQ(point.bound_by, "l1");
  const RooflinePoint far = placed_point(with_bytes(2000, 400, 150));  // at most 7.5 s
  EXPECT_EQ(far.bound_by, "dram");
  EXPECT_DOUBLE_EQ(far.percent_of_roof, 75);
  const RooflinePoint beyond = placed_point(with_bytes(400, 100, 20));
  for (const LevelPoint& level : beyond.levels) EXPECT_DOUBLE_EQ(level.attainable, 1000);
  EXPECT_EQ(beyond.bound_by, "compute");
  EXPECT_DOUBLE_EQ(beyond.percent_of_roof, 20);
}

// Yang 2019: v9 did 2.00 TFLOP in 0.57 s, 3.50 TFLOP/s; a V100 reached 7068.9 GFLOP/s with fused
// multiply-adds and 3535.8 without. Yang 2020: 3.7 TFLOP/s are 55% of a peak of 6.7 TFLOP/s, and
// 70% of the 5.3 TFLOP/s that a share of 58% fused multiply-adds allows.
TEST(Model, AgreesWithTheTutorialsOnAV100) {
  const auto on_v100 = [](double peak_rate, double flop, double seconds, double fma_fraction) {
    Ceilings v100;
    v100.list = {peak(peak_rate), bandwidth("dram", 800e9)};
    return placed_point(
        {{"fp64_flop", flop}, {"fp64_fma_fraction", fma_fraction}, {"dram_bytes", 1e9}}, seconds,
        v100);
  };
  const RooflinePoint v9 = on_v100(7068.9e9, 2.00e12, 0.57, 0),
                      v8 = on_v100(6.7e12, 3.7e12, 1, 0.58);
  EXPECT_NEAR(v9.flop_per_s, 3.50e12, 0.01e12);
  EXPECT_NEAR(v9.percent_of_peak, 49.6, 0.1);
  EXPECT_NEAR(v9.compute_seconds, 0.283, 0.001);
  EXPECT_NEAR(v9.fma_mix_ceiling.value(), 3535.8e9, 2e9);
  EXPECT_NEAR(v8.percent_of_peak, 55, 0.5);
  EXPECT_NEAR(v8.fma_mix_ceiling.value(), 5.3e12, 0.01e12);
  EXPECT_NEAR(100 * v8.flop_per_s / *v8.fma_mix_ceiling, 70, 0.5);
}

TEST(Model, WithoutACeilingWorkTimeOrBytesThereIsNoPoint) {
  const auto has_none = [](const Metrics& metrics, double seconds, const Ceilings& ceilings) {
    return placed(metrics, seconds, ceilings).points.empty();
  };
  for (std::size_t i = 0; i < 4; ++i) {
    Ceilings lacks = round_numbers(), unmeasured = lacks, confused = lacks;
    lacks.list.erase(lacks.list.begin() + static_cast<std::ptrdiff_t>(i));
    unmeasured.list[i].measured = 0;
    unmeasured.list[i].theoretical = 1e6;
    confused.list[i].kind = i == 0 ? CeilingKind::bandwidth : CeilingKind::compute;
    for (const Ceilings& ceilings : {lacks, unmeasured, confused})
      EXPECT_TRUE(has_none(sound, 10, ceilings)) << i;
  }
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double bad : {0.0, -1.0, nan, infinity}) {
    Metrics no_work = sound;
    no_work["fp64_flop"] = bad;
    EXPECT_TRUE(has_none(no_work, 10, round_numbers())) << bad;
    EXPECT_TRUE(has_none(sound, bad, round_numbers())) << bad;
    EXPECT_TRUE(has_none(with_bytes(2000, bad == 0 ? nan : bad, 50), 10, round_numbers())) << bad;
  }
  const RooflinePoint point = placed_point(with_bytes(2000, 400, 0));
  EXPECT_FALSE(point.fma_mix_ceiling) << "which is not known";
  EXPECT_EQ(point.levels.size(), 2u) << "levels without traffic are left out";
  EXPECT_TRUE(has_none(with_bytes(0, 0, 0), 10, round_numbers()));
}

TEST(Model, WhatNeedsLongerThanTheRunOrGrowsAwayFromTheArithmeticIsADefect) {
  const Metrics small = with_bytes(400, 100, 20);
  EXPECT_EQ(defects_of(small, 2 / 1.04), "") << "104% lies within the tolerance";
  EXPECT_TRUE(contains_all(defects_of(small, 2 / 1.06), {"the arithmetic needs 2 s", "(106%)"}));
  EXPECT_EQ(defects_of(sound, 5 / 1.04), "");
  EXPECT_TRUE(contains_all(defects_of(sound, 5 / 1.2), {"the traffic of l1 needs 5 s", "(120%)"}));
  EXPECT_EQ(placed_point(sound, 5 / 1.2).defects.size(), 1u) << "l2 and dram still fit";
  Metrics mixed = small;
  mixed["fp64_fma_fraction"] = 0.2;
  EXPECT_EQ(defects_of(mixed, 3.3), "") << "606 FLOP/s, above 600";
  EXPECT_TRUE(contains(defects_of(mixed, 2.5), "share of fused multiply-adds"));
  EXPECT_EQ(defects_of(with_bytes(2000, 2080, 50), 30), "") << "4% lie within the tolerance";
  EXPECT_TRUE(contains(defects_of(with_bytes(2000, 2200, 50), 30),
                       "l2 moved 2200 B, more than the 2000 B of l1"));
  EXPECT_TRUE(contains(defects_of(with_bytes(2000, 40, 50), 30),
                       "dram moved 50 B, more than the 40 B of l2"));
}

/// 1 s of FP64 and FP32 work on a large GPU; shared memory needs a third of it.
Metrics mixed() {
  return {{"fp64_flop", 3e12},   {"fp64_fma_fraction", 0.5}, {"fp32_flop", 9e12},
          {"fp16_flop", 0},      {"l1_bytes", 8e12},         {"shared_bytes", 10.8e12},
          {"l2_sm_bytes", 2e12}, {"dram_bytes", 1e12}};
}

RooflinePoints points_of(const Metrics& metrics, const Ceilings& ceilings = large_gpu(),
                         CountedBy source = CountedBy::cupti) {
  return roofline_points(metrics, 1, source, ceilings);
}

Texts levels_of(const RooflinePoint& point) {
  Texts names;
  for (const LevelPoint& level : point.levels) names.push_back(level.level);
  return names;
}

TEST(Points, OnePerPrecisionWithItsOwnPeak) {
  const RooflinePoints placed = points_of(mixed());
  ASSERT_EQ(placed.points.size(), 2u) << "FP16 did nothing";
  const RooflinePoint& fp32 = placed.points[0];
  const RooflinePoint& fp64 = placed.points[1];
  EXPECT_EQ(placed.leading(), &fp32) << "most operations first";
  EXPECT_EQ(fp32.precision, "fp32");
  EXPECT_EQ(fp64.precision, "fp64");
  EXPECT_DOUBLE_EQ(fp32.share, 0.75);
  EXPECT_DOUBLE_EQ(fp64.share, 0.25);
  EXPECT_DOUBLE_EQ(fp32.percent_of_peak, 100 * 9e12 / 66e12);
  EXPECT_DOUBLE_EQ(fp64.percent_of_peak, 100 * 3e12 / 33.1e12);
  EXPECT_DOUBLE_EQ(fp64.fma_mix_ceiling.value(), 33.1e12 * 0.75);
  EXPECT_FALSE(fp32.fma_mix_ceiling);
  EXPECT_DOUBLE_EQ(fp32.levels.back().intensity, 9);
  EXPECT_DOUBLE_EQ(fp64.levels.back().intensity, 3) << "of the same bytes";
  EXPECT_TRUE(placed.missing.empty());
  EXPECT_TRUE(fp32.defects.empty()) << fp32.defects.front();
  Metrics equal = mixed();
  equal["fp32_flop"] = equal["fp64_flop"];
  EXPECT_EQ(points_of(equal).leading()->precision, "fp64");
}

/// A transpose: no operations, and eight times DRAM's bytes at L2.
Counted moving() {
  Counted counted;
  counted.source = CountedBy::cupti;
  counted.metrics = {{"fp64_flop", 0},    {"fp32_flop", 0},        {"l1_bytes", 2.4e12},
                     {"shared_bytes", 0}, {"l2_sm_bytes", 2.4e12}, {"dram_bytes", 2.3e12}};
  return counted;
}

TEST(Points, WorkWithoutOperationsIsPlacedByItsBytesAndHasAChart) {
  Counted counted = moving();
  EXPECT_TRUE(roofline_points(counted, 1, large_gpu()).points.empty());
  const RooflinePoint point = only(movement_points(counted, 1, large_gpu()).points);
  const double dram = large_gpu().find("dram")->measured;
  EXPECT_TRUE(only_moves(point));
  EXPECT_DOUBLE_EQ(point.flop_per_s, 2.3e12);
  EXPECT_DOUBLE_EQ(point.percent_of_peak, 100 * 2.3e12 / dram);
  EXPECT_EQ(point.compute_seconds, 0) << "nothing is computed";
  EXPECT_EQ(point.bound_by, "dram");
  EXPECT_DOUBLE_EQ(point.percent_of_roof, 100 * 2.3e12 / dram);
  EXPECT_EQ(levels_of(point), (Texts{"l1", "l2", "dram"}));
  EXPECT_TRUE(point.defects.empty()) << point.defects.front();
  const RooflineChart chart = make_chart(large_gpu(), {{"v1", point}}, point.precision).value();
  EXPECT_DOUBLE_EQ(chart.peak(), dram);
  for (const ChartMark& mark : make_times(chart, "time", "").marks) EXPECT_NE(mark.of, "compute");
  EXPECT_FALSE(make_plane(chart, "plane", "")) << "no arithmetic to set against";
  counted.metrics["fp32_flop"] = 1;  // operations have priority over bytes
  EXPECT_TRUE(movement_points(counted, 1, large_gpu()).points.empty());
  EXPECT_FALSE(only_moves(roofline_points(counted, 1, large_gpu()).points.front()));
}

TEST(Points, APrecisionWithoutARoofHasNoPointAndAReason) {
  Metrics metrics = mixed();
  metrics["bf16_tensor_flop"] = 12e12;
  Ceilings ceilings = large_gpu();
  RooflinePoints placed = points_of(metrics, ceilings);
  ASSERT_EQ(placed.missing.size(), 1u);
  EXPECT_EQ(placed.missing.front().name, "bf16_tensor");
  EXPECT_TRUE(contains(placed.missing.front().reason, "bf16_tensor, was not measured"));
  EXPECT_DOUBLE_EQ(placed.leading()->share, 9.0 / 24) << "of all work, with roof or without";
  ceilings.missing = {{"bf16_tensor", "needs a newer device"}};
  placed = points_of(metrics, ceilings);
  EXPECT_EQ(placed.missing.front().reason, "needs a newer device");
}

TEST(Points, SharedMemoryIsALevelWhereItIsUsedBesideTheOrderOfBytes) {
  const auto leading = [](double shared_bytes, double l2_bytes = 2e12) {
    Metrics metrics = mixed();
    metrics["shared_bytes"] = shared_bytes;
    metrics["l2_sm_bytes"] = l2_bytes;
    return *points_of(metrics).leading();
  };
  for (const double used : {10.8e12, 0.011 * 32.4e12})
    EXPECT_EQ(levels_of(leading(used)), (Texts{"l1", "shared", "l2", "dram"}));
  for (const double next_to_nothing : {0.009 * 32.4e12, 0.0})
    EXPECT_EQ(levels_of(leading(next_to_nothing)), (Texts{"l1", "l2", "dram"}));
  EXPECT_TRUE(leading(20e12).defects.empty()) << "more than L1, and much more than L2";
  EXPECT_TRUE(leading(0.5e12).defects.empty()) << "less than L2";
  EXPECT_EQ(leading(0.5e12, 9e12).defects.size(), 2u) << "L2 more than L1, and more than fits";
}

TEST(Points, NameTheLevelsThatHardwareDidNotCount) {
  Metrics metrics = mixed();
  metrics.erase("l2_sm_bytes");
  const RooflinePoints placed = points_of(metrics);
  EXPECT_EQ(only(placed.leading()->defects),
            "l2_sm_bytes is missing: the roof of l2 is not among those compared");
  const Metrics stated = {{"fp64_flop", 1e9}, {"dram_bytes", 1e9}};
  const RooflinePoints host = points_of(stated, processor(), CountedBy::analytic);
  ASSERT_EQ(host.points.size(), 1u);
  EXPECT_TRUE(host.leading()->analytic);
  EXPECT_TRUE(host.leading()->defects.empty()) << "nobody expects more of what is stated";
}

TEST(Points, WithoutWorkThereAreNone) {
  EXPECT_EQ(points_of({}).leading(), nullptr);
  const RooflinePoints nowhere = points_of({{"fp64_flop", 1e12}});
  EXPECT_EQ(only(nowhere.missing).reason, "no level of memory moved any bytes");
}

TEST(Points, AreDrawnWithTheRoofsOfTheirPrecision) {
  std::vector<Step> steps;
  for (const RooflinePoint& point : points_of(mixed()).points) steps.push_back({"triad", point});
  const RooflineChart fp32 = make_chart(large_gpu(), steps, "fp32").value();
  EXPECT_DOUBLE_EQ(fp32.peak(), 66e12);
  EXPECT_EQ(only(fp32.notes), "triad is not drawn: its operations are fp64, not fp32");
  EXPECT_EQ(fp32.levels, (Texts{"l1", "shared", "l2", "dram"}));
  EXPECT_FALSE(make_chart(large_gpu(), steps, "fp128"));
}

}  // namespace
}  // namespace roofline::test
