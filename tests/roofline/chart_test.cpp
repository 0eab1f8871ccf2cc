// Tests of charts under roofs and of time planes: contents, positions, and separate texts.
#include <fmt/format.h>
#include <algorithm>
#include <cmath>

#include "roofline/view/axes.h"
#include "roofline/view/roofline_chart.h"
#include "tests/chart_outline.h"
#include "tests/roofline/sample_chart.h"
#include "tests/text.h"

namespace roofline::test {
namespace {

TEST(Chart, LeavesOutWhatLiesAboveARoofAndSaysSo) {
  std::vector<Step> steps = ladder();
  steps[1].point.percent_of_roof = 120;
  steps[2].point.levels[1].intensity = NAN;
  steps[3].point.percent_of_roof = 103;  // above 100% within the measuring uncertainty
  const RooflineChart chart = make_chart(large_gpu(), steps).value();
  EXPECT_EQ(chart.steps.size(), 10u);
  EXPECT_EQ(chart.steps[1].label, "v4");
  EXPECT_EQ(chart.notes, (Texts{"v2 is not drawn: it lies above the roof of compute",
                                "v3 is not drawn: it has no place on the chart"}));
}

TEST(Chart, NeedsAPeakABandwidthAndAStep) {
  for (const CeilingKind kind : {CeilingKind::compute, CeilingKind::bandwidth}) {
    Ceilings lacking = large_gpu();
    std::erase_if(lacking.list, [kind](const Ceiling& one) { return one.kind == kind; });
    EXPECT_FALSE(make_chart(lacking, ladder()));
  }
  EXPECT_FALSE(make_chart(large_gpu(), {}));
}

/// The peak is 33.1 TFLOP/s and DRAM has 4.1 TB/s, so the balance is 8.07 FLOP/B.
Step step(double flop, double dram_bytes, double seconds) {
  const Metrics metrics = {{"fp64_flop", flop},
                           {"l1_bytes", 0},
                           {"shared_bytes", 0},
                           {"l2_sm_bytes", dram_bytes},
                           {"dram_bytes", dram_bytes}};
  return {"v1", roofline_points(metrics, seconds, CountedBy::cupti, large_gpu()).points.at(0)};
}

Chart plane_of(const RooflineChart& chart) { return make_plane(chart, "plane", "").value(); }

TEST(TimePlane, PutsWorkAtItsRoofsAndTheTimeOnItsIntensity) {
  constexpr double peak = 33.1e12, bandwidth = 4.1e12, balance = peak / bandwidth;
  for (const double intensity : {100.0, balance, 0.5}) {
    const double flop = 1e12, bytes = flop / intensity, seconds = 1.5;
    const Chart chart = plane_of(make_chart(large_gpu(), {step(flop, bytes, seconds)}).value());
    ASSERT_EQ(chart.marks.size(), 2u);
    const ChartPoint least = chart.marks[0].at, taken = chart.marks[1].at;
    EXPECT_NEAR(least.x, flop / peak, 1e-12);
    EXPECT_NEAR(least.y, bytes / bandwidth, 1e-12);
    const bool by_compute = intensity >= balance;
    EXPECT_NEAR(taken.x, by_compute ? seconds : seconds * intensity / balance, 1e-9);
    EXPECT_NEAR(taken.y, by_compute ? seconds * balance / intensity : seconds, 1e-9);
  }
}

Chart roofline_of(const RooflineChart& chart) { return make_roofline(chart, "roofline", ""); }
Chart times_of(const RooflineChart& chart) { return make_times(chart, "time", ""); }

/// Of all charts what they hold: axes around all of it, roofs that meet at their ridges, with
/// names, a mark per step and level, lines from step to step, and what is left out with its reason.
TEST(Charts, AreThoseThatAreKept) {
  std::string text;
  const auto add = [&text](const char* what, const std::vector<Chart>& charts) {
    text += std::string("==== ") + what + "\n";
    for (const Chart& chart : charts) text += outline(chart);
  };
  RooflineChart loose = gpu_chart();
  loose.in_order = false;
  std::vector<Step> gap(5, ladder()[0]);
  for (std::size_t i = 0; i < gap.size(); ++i) gap[i].label = fmt::format("v{}", i + 1);
  std::erase_if(gap[2].point.levels, [](const LevelPoint& level) { return level.level == "l1"; });
  for (const RooflineChart& chart : {gpu_chart(), host_chart()})
    add(chart.device.c_str(), {roofline_of(chart), times_of(chart), plane_of(chart)});
  add("in no order", {roofline_of(loose)});
  add("a step without L1", {roofline_of(make_chart(large_gpu(), gap).value())});
  expect_kept("roofline/charts.txt", text);
}

/// The area of an upright label.
Box box_of(const ChartLabel& label, const Axes& axes) {
  const double x = axes.x(label.at.x) + label.dx, y = axes.y(label.at.y) + label.dy;
  const double half = text_width(label.text, label_font_size) / 2, up = label_font_size / 2;
  return {x - half, y - up, x + half, y + up};
}

TEST(Names, CoverNeitherEachOtherNorMarks) {
  for (const Chart& chart : {roofline_of(gpu_chart()), roofline_of(host_chart()),
                             plane_of(gpu_chart()), plane_of(host_chart())}) {
    const Axes axes(chart, plot_of(chart.frame));
    std::vector<Box> boxes;
    std::vector<std::string> texts;
    for (const ChartLabel& label : chart.labels) {
      if (label.angle != 0) continue;
      boxes.push_back(box_of(label, axes));
      texts.push_back(label.text);
    }
    EXPECT_FALSE(boxes.empty()) << chart.title;
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j)
        EXPECT_FALSE(overlap(boxes[i], boxes[j]))
            << chart.title << ": " << texts[i] << " and " << texts[j];
      for (const ChartMark& mark : chart.marks) {
        const double x = axes.x(mark.at.x), y = axes.y(mark.at.y);
        EXPECT_FALSE(overlap(boxes[i], {x - 3, y - 3, x + 3, y + 3}))
            << chart.title << ": " << texts[i] << " over " << mark.name;
      }
    }
  }
}

TEST(Ticks, AreOneTwoAndFiveWithTheirUnitThinnedOutWhereTheyWouldCollide) {
  const auto ticks = [](ChartAxis axis, double pixels, bool upright) {
    fill_ticks(axis, pixels, upright);
    Texts texts;
    for (const Tick& tick : axis.ticks) texts.push_back(tick.text);
    return texts;
  };
  EXPECT_EQ(ticks(log_axis("", "s", {1e-3, 0.02}), 500, true),
            (Texts{"1 ms", "2 ms", "5 ms", "10 ms", "20 ms"}));
  EXPECT_EQ(ticks(log_axis("", "FLOP/B", {0.1, 10}), 500, false),
            (Texts{"0.1 FLOP/B", "1 FLOP/B", "10 FLOP/B"}));
  EXPECT_EQ(ticks(log_axis("", "s", {1, 1e6}), 72, true), (Texts{"1 s", "100 s", "10 ks", "1 Ms"}));
  EXPECT_EQ(ticks({"", "x", false, 0, 0.5}, 500, false).back(), "0.5x");
  const ChartAxis widest = log_axis("", "s", {1e-300, 1e300});
  EXPECT_GT(ticks(widest, 600, true).size(), 5u) << "the ends are further apart than numbers reach";
}

TEST(Charts, OfTimesDrawNoMarkBelowTheirAxis) {
  RooflineChart chart = gpu_chart();
  const std::size_t all = times_of(chart).marks.size();
  chart.steps.front().point.levels.front().seconds *= 1e-9;
  EXPECT_EQ(times_of(chart).marks.size(), all - 1);
}

}  // namespace
}  // namespace roofline::test
