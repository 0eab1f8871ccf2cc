// What a roofline chart holds, and where.
#include "roofline/view/roofline_chart.h"

#include <gtest/gtest.h>

#include <cmath>

#include "roofline/view/labels.h"
#include "tests/roofline/sample_chart.h"

namespace roofline {
namespace {

const Roof& roof(const RooflineChart& chart, const std::string& name) {
  for (const Roof& one : chart.roofs)
    if (one.name == name) return one;
  throw std::out_of_range("no roof " + name);
}

std::vector<std::string> names_of_roofs(const std::vector<Roof>& roofs) {
  std::vector<std::string> list;
  for (const Roof& one : roofs) list.push_back(one.name);
  return list;
}

TEST(Ranges, HoldBothValues) {
  EXPECT_EQ(decades(3, 47), (Range{1, 100}));
  EXPECT_EQ(decades(47, 3), (Range{1, 100}));
  EXPECT_EQ(decades(10, 10), (Range{10, 100}));
  EXPECT_EQ(decades(0.02, 0.3), (Range{0.01, 1}));
  EXPECT_EQ(round_range(3, 47), (Range{2, 50}));
  EXPECT_EQ(round_range(6, 15), (Range{5, 20}));
  EXPECT_EQ(round_range(1.5, 1.6), (Range{1, 2}));
  EXPECT_EQ(round_range(7, 61), (Range{5, 100}));
}

TEST(Chart, HoldsTheRoofsThatMatter) {
  const RooflineChart chart = test::gpu_chart();
  EXPECT_EQ(
      names_of_roofs(chart.roofs),
      (std::vector<std::string>{"l1", "l2", "dram", "fp64_fma", "fp64_operands_3", "fp64_no_fma"}))
      << "shared memory is L1's line, two operands are the peak, FP32 is another chart";
  EXPECT_FALSE(roof(chart, "l2").thin);
  EXPECT_TRUE(roof(chart, "fp64_operands_3").thin);
  EXPECT_DOUBLE_EQ(chart.peak(), 33.1e12);
  EXPECT_EQ(chart.levels, (std::vector<std::string>{"l1", "l2", "dram"}));
}

TEST(Chart, DrawsLevelsWithoutPointsThin) {
  const RooflineChart chart = test::host_chart();
  EXPECT_EQ(chart.levels, (std::vector<std::string>{"dram"}));
  EXPECT_TRUE(roof(chart, "l1").thin);
  EXPECT_FALSE(roof(chart, "dram").thin);
  EXPECT_TRUE(chart.any_analytic());
  EXPECT_FALSE(chart.any_counted());
}

TEST(Chart, AxesHoldEveryPointAndRidge) {
  const RooflineChart chart = test::gpu_chart();
  EXPECT_EQ(chart.intensity, (Range{0.1, 1000}));
  EXPECT_EQ(chart.flop_per_s, (Range{2e12, 5e13}));
  for (const Step& step : chart.steps)
    for (const LevelPoint& level : step.point.levels) {
      EXPECT_GT(level.intensity, chart.intensity.low);
      EXPECT_LT(level.intensity, chart.intensity.high);
    }
}

TEST(Chart, KeepsStepsInOrder) {
  const RooflineChart chart = test::gpu_chart();
  ASSERT_EQ(chart.steps.size(), 12u);
  EXPECT_EQ(chart.steps.front().label, "v1");
  EXPECT_EQ(chart.steps.back().label, "v12");
}

TEST(Chart, LeavesOutWhatLiesAboveARoofAndSaysSo) {
  std::vector<Step> steps = test::ladder();
  steps[1].point.flop_per_s = 40e12;
  steps[2].point.levels[0].percent = 120;
  steps[3].point.levels[1].intensity = NAN;
  steps[4].point.levels[0].percent = 103;  // within what measuring leaves uncertain
  const RooflineChart chart = make_chart(test::large_gpu(), steps).value();
  EXPECT_EQ(chart.steps.size(), 9u);
  EXPECT_EQ(chart.steps[1].label, "v5");
  ASSERT_EQ(chart.notes.size(), 3u);
  EXPECT_EQ(chart.notes[0], "v2 is not drawn: it lies above the FP64 peak");
  EXPECT_EQ(chart.notes[1], "v3 is not drawn: it lies above the roof of l1");
}

TEST(Chart, NeedsAPeakABandwidthAndAStep) {
  const std::vector<Step> steps = test::ladder();
  Ceilings no_peak = test::large_gpu();
  no_peak.list.erase(no_peak.list.begin());
  EXPECT_FALSE(make_chart(no_peak, steps));
  Ceilings no_bandwidth = test::large_gpu();
  std::erase_if(no_bandwidth.list,
                [](const Ceiling& one) { return one.kind == CeilingKind::bandwidth; });
  EXPECT_FALSE(make_chart(no_bandwidth, steps));
  EXPECT_FALSE(make_chart(test::large_gpu(), {}));
}

TEST(Chart, RoofsMeetAtTheirRidges) {
  const RooflineChart chart = test::gpu_chart();
  const Segment dram = visible_part(chart, roof(chart, "dram")).value();
  EXPECT_DOUBLE_EQ(dram.y0, chart.flop_per_s.low);
  EXPECT_DOUBLE_EQ(dram.x0, 2e12 / 4.1e12);
  EXPECT_DOUBLE_EQ(dram.y1, 33.1e12);
  EXPECT_DOUBLE_EQ(dram.x1, 33.1 / 4.1);
  const Segment peak = visible_part(chart, roof(chart, "fp64_fma")).value();
  EXPECT_DOUBLE_EQ(peak.x0, 33.1 / 32.0) << "the ridge of the steepest bandwidth";
  EXPECT_DOUBLE_EQ(peak.x1, 1000);
  EXPECT_DOUBLE_EQ(peak.y0, peak.y1);
  const Segment theory = visible_part(chart, roof(chart, "dram"), true).value();
  EXPECT_DOUBLE_EQ(theory.x1, 33.45 / 4.8);
  EXPECT_FALSE(visible_part(chart, roof(chart, "l2"), true)) << "its theoretical value is unknown";
}

TEST(Chart, StepsOfOneMixShareItsCeiling) {
  const RooflineChart chart = test::gpu_chart();
  ASSERT_EQ(chart.mixes.size(), 5u);
  EXPECT_EQ(chart.mixes[0].steps, (std::vector<std::size_t>{0, 1, 2, 3, 4}));
  EXPECT_DOUBLE_EQ(chart.mixes[0].value, 33.1e12 * 1.32 / 2);
  EXPECT_EQ(chart.mixes[4].steps, (std::vector<std::size_t>{11}));
}

TEST(Chart, NamesStepsInRanges) {
  std::vector<std::string> steps;
  for (const Step& step : test::ladder()) steps.push_back(step.label);
  EXPECT_EQ(label_range(steps, {0}), "v1");
  EXPECT_EQ(label_range(steps, {0, 1}), "v1 v2");
  EXPECT_EQ(label_range(steps, {0, 1, 2}, "-"), "v1-v3");
  EXPECT_EQ(label_range(steps, {1, 2, 3, 6, 8, 9}), "v2–v4 v7 v9 v10");
}

TEST(Chart, NamesLevels) {
  const RooflineChart chart = test::gpu_chart();
  EXPECT_EQ(level_label(chart, "dram"), "HBM");
  EXPECT_EQ(level_label(chart, "l9"), "L9");
}

}  // namespace
}  // namespace roofline
