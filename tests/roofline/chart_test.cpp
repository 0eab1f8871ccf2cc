// Tests of charts under roofs and of time planes: contents, positions, and separate texts.
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "roofline/view/chart_json.h"
#include "roofline/view/device_charts.h"
#include "roofline/view/labels.h"
#include "roofline/view/roofline_chart.h"
#include "roofline/view/style.h"
#include "roofline/view/svg.h"
#include "tests/roofline/sample_chart.h"
#include "tests/text.h"

namespace roofline::test {
namespace {

const Roof& roof(const RooflineChart& chart, const std::string& name) {
  for (const Roof& one : chart.roofs)
    if (one.name == name) return one;
  throw std::out_of_range("no roof " + name);
}

TEST(Chart, HoldsTheRoofsThatMatterAndThoseWithoutPointsThin) {
  const RooflineChart chart = gpu_chart(), host = host_chart();
  std::vector<std::string> names;
  for (const Roof& one : chart.roofs) names.push_back(one.name);
  EXPECT_EQ(names, (std::vector<std::string>{"l1", "l2", "dram", "fp64_fma", "fp64_operands_3",
                                             "fp64_no_fma"}))
      << "shared memory is L1's line, two operands are the peak, FP32 is another chart";
  EXPECT_FALSE(roof(chart, "l2").thin);
  EXPECT_TRUE(roof(chart, "fp64_operands_3").thin);
  EXPECT_DOUBLE_EQ(chart.peak(), 33.1e12);
  EXPECT_EQ(chart.levels, (std::vector<std::string>{"l1", "l2", "dram"}));
  EXPECT_EQ(host.levels, (std::vector<std::string>{"dram"}));
  EXPECT_TRUE(roof(host, "l1").thin);
  EXPECT_FALSE(roof(host, "dram").thin);
  EXPECT_TRUE(host.any_analytic() && !host.any_counted());
}

TEST(Chart, AxesHoldEveryPointAndRidge) {
  const RooflineChart chart = gpu_chart();
  EXPECT_EQ(chart.intensity, (Range{0.1, 1000}));
  EXPECT_EQ(chart.flop_per_s, (Range{2e12, 5e13}));
  ASSERT_EQ(chart.steps.size(), 12u);
  for (const Step& step : chart.steps)
    for (const LevelPoint& level : step.point.levels)
      EXPECT_TRUE(level.intensity > chart.intensity.low && level.intensity < chart.intensity.high);
}

TEST(Chart, LeavesOutWhatLiesAboveARoofAndSaysSo) {
  std::vector<Step> steps = ladder();
  steps[1].point.flop_per_s = 40e12;
  steps[2].point.levels[0].percent = 120;
  steps[3].point.levels[1].intensity = NAN;
  steps[4].point.levels[0].percent = 103;  // above 100% within the measuring uncertainty
  const RooflineChart chart = make_chart(large_gpu(), steps).value();
  EXPECT_EQ(chart.steps.size(), 9u);
  EXPECT_EQ(chart.steps[1].label, "v5");
  ASSERT_EQ(chart.notes.size(), 3u);
  EXPECT_EQ(chart.notes[0], "v2 is not drawn: it lies above the FP64 peak");
  EXPECT_EQ(chart.notes[1], "v3 is not drawn: it lies above the roof of l1");
}

TEST(Chart, NeedsAPeakABandwidthAndAStep) {
  for (const CeilingKind kind : {CeilingKind::compute, CeilingKind::bandwidth}) {
    Ceilings lacking = large_gpu();
    std::erase_if(lacking.list, [kind](const Ceiling& one) { return one.kind == kind; });
    EXPECT_FALSE(make_chart(lacking, ladder()));
  }
  EXPECT_FALSE(make_chart(large_gpu(), {}));
}

TEST(Chart, RoofsMeetAtTheirRidges) {
  const RooflineChart chart = gpu_chart();
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
  ASSERT_EQ(chart.mixes.size(), 5u) << "steps of one mix share its ceiling";
  EXPECT_EQ(chart.mixes[0].steps, (std::vector<std::size_t>{0, 1, 2, 3, 4}));
  EXPECT_DOUBLE_EQ(chart.mixes[0].value, 33.1e12 * 1.32 / 2);
}

/// The peak is 33.1 TFLOP/s and DRAM has 4.1 TB/s, so the balance is 8.07 FLOP/B.
Step step(double flop, double dram_bytes, double seconds,
          std::optional<std::size_t> launches = std::nullopt) {
  Activity activity;
  activity.flop = flop;
  activity.seconds = seconds;
  activity.traffic = {{"l2", dram_bytes}, {"dram", dram_bytes}};
  return {"v1", roofline_point(activity, large_gpu()).value(), launches};
}

/// Lines, boxes or marks of an item, optionally of one level or roof and one step.
template <class Thing>
std::vector<Thing> all(std::vector<Thing> things, const std::string& item,
                       const std::string& of = "", const std::string& name = "") {
  std::erase_if(things, [&](const Thing& one) {
    return one.item != item || (!of.empty() && one.of != of) || (!name.empty() && one.name != name);
  });
  return things;
}

/// True if some entry of the key, or some label, contains the text.
template <class Entry>
bool has(const std::vector<Entry>& entries, const std::string& text) {
  return std::ranges::any_of(entries, [&](const Entry& one) { return contains(one.text, text); });
}

Chart plane_of(const RooflineChart& chart) {
  return make_plane(chart, plane_level(chart), "plane", "").value();
}

Chart plane_of(const std::vector<Step>& steps, double launch = 0) {
  Ceilings gpu = large_gpu();
  if (launch > 0) gpu.launch = {launch, launch, launch, ""};
  return plane_of(make_chart(gpu, steps).value());
}

TEST(TimePlane, PutsWorkAtItsRoofsAndTheTimeOnItsIntensity) {
  constexpr double peak = 33.1e12, bandwidth = 4.1e12, balance = peak / bandwidth;
  for (const double intensity : {100.0, balance, 0.5}) {
    const double flop = 1e12, bytes = flop / intensity, seconds = 1.5;
    const Chart chart = plane_of({step(flop, bytes, seconds)});
    const ChartPoint least = only(all(chart.marks, "complexity")).at,
                     taken = only(all(chart.marks, "taken")).at;
    EXPECT_NEAR(least.x, flop / peak, 1e-12);
    EXPECT_NEAR(least.y, bytes / bandwidth, 1e-12);
    const bool by_compute = intensity >= balance;
    EXPECT_NEAR(taken.x, by_compute ? seconds : seconds * intensity / balance, 1e-9);
    EXPECT_NEAR(taken.y, by_compute ? seconds * balance / intensity : seconds, 1e-9);
  }
}

TEST(TimePlane, HasABoxForEachNumberOfLaunchesOrTheOutermostOfMany) {
  const Chart plane =
      plane_of({step(1e9, 1e7, 1e-4, 4), step(1e9, 1e7, 2e-4, 2), step(1e9, 1e7, 3e-4, 4)}, 2e-6);
  ASSERT_EQ(plane.boxes.size(), 2u);
  EXPECT_EQ(plane.boxes[0].name, "8.00 us of 4 launches") << "the widest below";
  EXPECT_TRUE(has(plane.labels, "4.00 us of 2 launches"));
  EXPECT_DOUBLE_EQ(plane.boxes[1].right, 4e-6);
  EXPECT_LT(plane.x.low, 4e-6) << "it is seen";
  EXPECT_TRUE(plane.notes.empty());
  std::vector<Step> many;
  for (std::size_t launches = 1; launches <= 9; ++launches)
    many.push_back(step(1e9, 1e7, 1e-4, launches));
  const Chart outermost = plane_of(many, 2e-6);
  ASSERT_EQ(outermost.boxes.size(), 2u);
  EXPECT_EQ(outermost.boxes[0].name, "18.0 us of 9 launches");
  EXPECT_EQ(outermost.boxes[1].name, "2.00 us of a launch");
}

TEST(TimePlane, SaysWhyABoxIsOfOneLaunchOrNotThere) {
  const Chart once = plane_of({step(1e9, 1e7, 1e-4)}, 2e-6);
  EXPECT_EQ(only(once.boxes).name, "2.00 us of a launch");
  EXPECT_EQ(only(once.notes), "How often v1 launches is not known: taken as once");
  const Chart far_below = plane_of({step(1e15, 1e13, 100, 1)}, 2e-6);
  EXPECT_EQ(far_below.notes.at(0), "Launching takes far less than is drawn: 2.00 us of a launch");
  EXPECT_GT(far_below.x.low, 1e-3);
  const Chart old = plane_of({step(1e9, 1e7, 1e-4, 2)});
  EXPECT_TRUE(contains(old.notes.at(0), "was not measured"));
  const Chart of_host = plane_of(host_chart());
  EXPECT_TRUE(contains(of_host.notes.at(0), "on a processor"));
  EXPECT_EQ(only(all(of_host.marks, "complexity", "", "v1")).source, "analytic");
  for (const Chart& none : {far_below, old, of_host}) EXPECT_TRUE(none.boxes.empty());
}

TEST(TimePlane, NeedsTheLevelAndHoldsEveryMarkOfItsAxes) {
  RooflineChart chart = make_chart(large_gpu(), {step(1e9, 1e7, 1e-4)}).value();
  EXPECT_EQ(plane_level(chart), "dram");
  EXPECT_TRUE(make_plane(chart, "l2", "", ""));
  EXPECT_FALSE(make_plane(chart, "l1", "", "")) << "which moved nothing";
  chart.levels = {"l1", "l2"};
  EXPECT_EQ(plane_level(chart), "l2") << "the outermost";
  const Chart plane = plane_of(gpu_chart());
  ASSERT_EQ(plane.marks.size(), 24u);
  for (const ChartMark& mark : plane.marks) {
    EXPECT_EQ(mark.hollow, mark.item == "taken");
    for (const double seconds : {mark.at.x, mark.at.y})
      EXPECT_TRUE(seconds > plane.x.low && seconds < plane.x.high);
  }
  EXPECT_EQ(all(plane.lines, "balance").size(), 1u);
  EXPECT_EQ(only(all(plane.lines, "run time", "", "100 ms")).points.size(), 3u) << "round a corner";
  EXPECT_TRUE(contains(plane.x.title, "33.1 TFLOP/s"));
  EXPECT_TRUE(contains(plane.y.title, "HBM at 4.10 TB/s"));
}

Chart roofline_of(const RooflineChart& chart) { return make_roofline(chart, "roofline", ""); }
Chart times_of(const RooflineChart& chart) { return make_times(chart, "time", ""); }

TEST(RooflineView, HoldsAMarkPerStepAndLevelAndNamesRoofsWithTheirValues) {
  const Chart chart = roofline_of(gpu_chart());
  EXPECT_EQ(all(chart.marks, "point", "l1").size(), 12u);
  EXPECT_EQ(all(chart.marks, "point", "dram").size(), 12u);
  const ChartMark v7 = only(all(chart.marks, "point", "l2", "v7"));
  EXPECT_EQ(v7.source, "counted");
  EXPECT_EQ(v7.shape, Shape::square);
  EXPECT_FALSE(v7.hollow);
  EXPECT_EQ(v7.headline, "v7 at L2");
  const std::map<std::string, std::string> facts(v7.facts.begin(), v7.facts.end());
  EXPECT_FALSE(facts.contains("source")) << "counted by hardware";
  EXPECT_TRUE(contains(facts.at("rate"), "TFLOP/s"));
  EXPECT_EQ(all(chart.lines, "roof").size(), 4u);
  EXPECT_EQ(all(chart.lines, "thin roof").size(), 2u);
  EXPECT_EQ(all(chart.lines, "mix").size(), 5u);
  for (const char* text : {"HBM 4.10 of 4.80 TB/s", "L1 32.0 of 33.4 TB/s", "L2 7.40 TB/s",
                           "FP64, FMA 33.1 of 33.4 TFLOP/s", "3 operands 22.1 of 22.3 TFLOP/s",
                           "FMA mix v12: 27.5 TFLOP/s"})
    EXPECT_TRUE(has(chart.labels, text)) << text;
  const ChartLine dram = only(all(chart.lines, "theoretical", "dram"));
  EXPECT_EQ(dram.dash, "dash");
  EXPECT_EQ(dram.tags.back(), (std::pair<std::string, std::string>{"theoretical", "yes"}));
  const Chart host = roofline_of(host_chart());
  EXPECT_EQ(only(all(host.marks, "point", "dram", "v7")).source, "analytic");
  EXPECT_TRUE(only(all(host.marks, "point", "dram", "v7")).hollow);
  EXPECT_TRUE(has(host.key, "analytic, not counted") && !has(host.key, "counted by hardware"));
}

TEST(RooflineView, NamesEveryStepAtEveryLevelOnce) {
  std::map<std::string, std::size_t> steps;
  for (const ChartLabel& label : roofline_of(gpu_chart()).labels) {
    if (label.tags.empty() || label.tags.back().first != "level" || label.angle != 0) continue;
    std::istringstream words(label.text);
    for (std::string word; words >> word;) {
      const std::size_t dash = word.find("–"), first = std::stoul(word.substr(1));
      const std::size_t last = dash == word.npos ? first : std::stoul(word.substr(dash + 4));
      steps[label.tags.back().second] += last - first + 1;
    }
  }
  EXPECT_EQ(steps, (std::map<std::string, std::size_t>{{"l1", 12}, {"l2", 12}, {"dram", 12}}));
}

TEST(RooflineView, ArrowsLeadFromStepToStep) {
  const Chart chart = roofline_of(gpu_chart());
  const ChartLine arrow = only(all(chart.lines, "arrow", "dram", "v9"));
  EXPECT_TRUE(arrow.arrow && arrow.between_marks);
  EXPECT_LT(arrow.points[0].x, arrow.points[1].x) << "v9 moves fewer bytes than v8";
  EXPECT_LT(arrow.points[0].y, arrow.points[1].y) << "and is faster";
  EXPECT_TRUE(all(chart.lines, "arrow", "dram", "v1").empty());
  RooflineChart loose = gpu_chart();
  loose.in_order = false;
  EXPECT_TRUE(all(roofline_of(loose).lines, "arrow").empty());
  EXPECT_EQ(all(roofline_of(loose).lines, "link").size(), 12u) << "its levels belong together";
}

/// A range of names at a level must not include a step without a mark there; parts of a step have
/// no names.
TEST(RooflineView, NamesHoldOnlyWhatTheyName) {
  std::vector<Step> steps(5, ladder()[0]);
  for (std::size_t i = 0; i < steps.size(); ++i) steps[i].label = fmt::format("v{}", i + 1);
  std::erase_if(steps[2].point.levels, [](const LevelPoint& level) { return level.level == "l1"; });
  const Chart chart = roofline_of(make_chart(large_gpu(), steps).value());
  EXPECT_TRUE(has(chart.labels, "v1 v2 v4 v5"));
  EXPECT_TRUE(has(chart.labels, "v1–v5")) << "at the other levels";
  steps = {ladder()[0], ladder()[5]};
  steps[1].label = "v1 kernel";
  steps[1].part = true;
  const Chart parts = roofline_of(make_chart(large_gpu(), steps).value());
  EXPECT_TRUE(all(parts.marks, "point", "dram").back().small);
  EXPECT_FALSE(has(parts.labels, "kernel"));
  EXPECT_TRUE(all(parts.lines, "arrow").empty());
}

/// The area of an upright label.
Box box_of(const ChartLabel& label, const Axes& axes, double size) {
  const double x = axes.x(label.at.x) + label.dx, y = axes.y(label.at.y) + label.dy;
  const double half = text_width(label.text, size) / 2;
  return {x - half, y - size / 2, x + half, y + size / 2};
}

TEST(Names, CoverNeitherEachOtherNorMarks) {
  for (const Chart& chart : {roofline_of(gpu_chart()), roofline_of(host_chart()),
                             plane_of(gpu_chart()), plane_of(host_chart())}) {
    const Axes axes(chart, plot_of(chart.frame));
    std::vector<Box> boxes;
    std::vector<std::string> texts;
    for (const ChartLabel& label : chart.labels) {
      if (label.outside || label.angle != 0) continue;
      boxes.push_back(box_of(label, axes, small_font_size));
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

TEST(Names, BesideThePlotKeepApart) {
  std::vector<double> places;
  const Chart chart = roofline_of(gpu_chart());
  const Axes axes(chart, plot_of(chart.frame));
  for (const ChartLabel& label : chart.labels)
    if (label.outside) places.push_back(axes.y(label.at.y) + label.dy);
  std::sort(places.begin(), places.end());
  ASSERT_GE(places.size(), 3u);
  for (std::size_t i = 1; i < places.size(); ++i) EXPECT_GE(places[i] - places[i - 1], 18.9);
  EXPECT_EQ(spread({75, 98, 99, 100}, 10, 0, 100), (std::vector<double>{70, 80, 90, 100}));
  EXPECT_DOUBLE_EQ(text_width("v1–v3", 10), text_width("v1-v3", 10)) << "characters, not bytes";
}

TEST(TimesView, HoldsWhatWasTakenAndNeeded) {
  const Chart chart = times_of(gpu_chart());
  EXPECT_EQ(all(chart.boxes, "taken").size(), 12u);
  EXPECT_EQ(all(chart.marks, "needed").size(), 48u);
  const ChartBox v1 = only(all(chart.boxes, "taken", "", "v1"));
  EXPECT_NEAR(v1.top, 0.3049, 1e-4);
  EXPECT_TRUE(v1.left < 0 && v1.right > 0) << "around its place on the axis";
  EXPECT_TRUE(has(chart.labels, "305 ms"));
  EXPECT_TRUE(has(chart.key, "needed by HBM"));
  EXPECT_EQ(chart.x.ticks.at(11).text, "v12\nFP64 peak\n53%");
  EXPECT_TRUE(only(all(times_of(host_chart()).marks, "needed", "dram", "v1")).hollow);
}

Texts named_ticks(const ChartAxis& axis) {
  Texts texts;
  for (const Tick& tick : axis.ticks)
    if (!tick.text.empty()) texts.push_back(tick.text);
  return texts;
}

TEST(Ticks, AreOneTwoAndFiveWithTheirUnitThinnedOutWhereTheyWouldCollide) {
  EXPECT_EQ(
      named_ticks(log_axis("", "s", {1e-3, 0.5}, 500, true)),
      (Texts{"1 ms", "2 ms", "5 ms", "10 ms", "20 ms", "50 ms", "100 ms", "200 ms", "500 ms"}));
  EXPECT_EQ(named_ticks(log_axis("", "FLOP/B", {0.1, 10}, 800)),
            (Texts{"0.1 FLOP/B", "0.2 FLOP/B", "0.5 FLOP/B", "1 FLOP/B", "2 FLOP/B", "5 FLOP/B",
                   "10 FLOP/B"}));
  EXPECT_EQ(named_ticks(log_axis("", "FLOP/B", {0.1, 1000}, 700)),
            (Texts{"0.1 FLOP/B", "1 FLOP/B", "10 FLOP/B", "100 FLOP/B", "1000 FLOP/B"}));
  EXPECT_EQ(named_ticks(log_axis("", "s", {1, 1e6}, 72, true)),
            (Texts{"1 s", "100 s", "10 ks", "1 Ms"}));
  EXPECT_EQ(named_ticks(linear_axis("", "x", {0, 1.3})),
            (Texts{"0x", "0.2x", "0.4x", "0.6x", "0.8x", "1x", "1.2x"}));
  const ChartAxis widest = log_axis("", "s", {1e-300, 1e300}, 600, true);
  EXPECT_GT(named_ticks(widest).size(), 5u);
  EXPECT_LT(named_ticks(widest).size(), 40u) << "the ends are further apart than numbers reach";
  Chart chart;
  chart.x = widest;
  EXPECT_NEAR(Axes(chart, {0, 0, 600, 1}).x(1), 300, 1);
}

TEST(ChartJson, HoldsWhatAnotherProgramDraws) {
  const auto json = to_json(roofline_of(gpu_chart()));
  EXPECT_EQ(json["x"]["unit"], "FLOP/B");
  EXPECT_EQ(json["steps"].size(), 12u);
  const auto& mark = json["marks"][0];
  EXPECT_EQ(mark["shape"], "circle");
  EXPECT_EQ(mark["tags"]["variant"], "v1");
  EXPECT_EQ(mark["facts"][0][0], "rate");
  EXPECT_FALSE(mark.contains("hollow"));
  EXPECT_FALSE(json["labels"].empty());
}

}  // namespace
}  // namespace roofline::test
