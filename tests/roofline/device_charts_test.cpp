// The charts of work under roofs: what they hold, and that their texts keep apart.
#include "roofline/view/device_charts.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <sstream>

#include "roofline/base/units.h"
#include "roofline/view/chart_json.h"
#include "roofline/view/labels.h"
#include "roofline/view/style.h"
#include "roofline/view/svg.h"
#include "tests/roofline/sample_chart.h"
#include "tests/text.h"

namespace roofline::test {
namespace {

Chart roofline_of(const RooflineChart& chart) { return make_roofline({{chart}}, "roofline", ""); }
Chart times_of(const RooflineChart& chart) { return make_times({{chart}}, "time", ""); }
Chart plane_of(const RooflineChart& chart) {
  return make_plane({{chart}}, plane_level(chart), "plane", "").value();
}

/// Lines, boxes or marks of an item, and of a level or roof where that is named.
template <class Thing>
std::vector<Thing> all(const std::vector<Thing>& things, const std::string& item,
                       const std::string& of = "") {
  std::vector<Thing> found;
  std::copy_if(things.begin(), things.end(), std::back_inserter(found), [&](const Thing& thing) {
    return thing.item == item && (of.empty() || thing.of == of);
  });
  return found;
}

template <class Thing>
std::vector<Thing> named(std::vector<Thing> things, const std::string& name) {
  std::erase_if(things, [&name](const Thing& thing) { return thing.name != name; });
  return things;
}

std::string fact(const ChartMark& mark, const std::string& name) {
  for (const auto& [key, value] : mark.facts)
    if (key == name) return value;
  return "";
}

bool has_key(const Chart& chart, const std::string& text) {
  return std::any_of(chart.key.begin(), chart.key.end(), [&text](const ChartKey& entry) {
    return entry.text.find(text) != std::string::npos;
  });
}

bool has_label(const Chart& chart, const std::string& text) {
  return std::any_of(chart.labels.begin(), chart.labels.end(), [&text](const ChartLabel& label) {
    return label.text.find(text) != std::string::npos;
  });
}

TEST(RooflineView, HoldsAMarkPerStepAndLevel) {
  const Chart chart = roofline_of(gpu_chart());
  EXPECT_EQ(all(chart.marks, "point", "l1").size(), 12u);
  EXPECT_EQ(all(chart.marks, "point", "dram").size(), 12u);
  const auto v7 = named(all(chart.marks, "point", "l2"), "v7");
  ASSERT_EQ(v7.size(), 1u);
  EXPECT_EQ(v7[0].source, "counted");
  EXPECT_EQ(v7[0].shape, Shape::square);
  EXPECT_FALSE(v7[0].hollow);
  EXPECT_EQ(v7[0].headline, "v7 at L2");
  EXPECT_EQ(fact(v7[0], "source"), "counted by hardware");
  EXPECT_NE(fact(v7[0], "rate").find("TFLOP/s"), std::string::npos);
  EXPECT_EQ(all(chart.lines, "roof").size(), 4u);
  EXPECT_EQ(all(chart.lines, "thin roof").size(), 2u);
  EXPECT_EQ(all(chart.lines, "mix").size(), 5u);
}

TEST(RooflineView, NamesRoofsWithTheirValues) {
  const Chart chart = roofline_of(gpu_chart());
  for (const char* text : {"HBM 4.10 of 4.80 TB/s", "L1 32.0 of 33.4 TB/s", "L2 7.40 TB/s",
                           "FP64, FMA 33.1 of 33.4 TFLOP/s", "3 operands 22.1 of 22.3 TFLOP/s",
                           "FMA mix v12: 27.5 TFLOP/s"})
    EXPECT_TRUE(has_label(chart, text)) << text;
  const auto dram = all(chart.lines, "theoretical", "dram");
  EXPECT_EQ(only(dram).dash, "dash");
  EXPECT_EQ(only(dram).tags.back(), (std::pair<std::string, std::string>{"theoretical", "yes"}));
}

TEST(RooflineView, NamesEveryStepAtEveryLevelOnce) {
  const Chart chart = roofline_of(gpu_chart());
  for (const std::string level : {"l1", "l2", "dram"}) {
    std::size_t steps = 0;
    for (const ChartLabel& label : chart.labels) {
      if (label.tags.empty() ||
          label.tags.back() != std::pair<std::string, std::string>{"level", level} ||
          label.angle != 0)
        continue;
      std::istringstream words(label.text);
      for (std::string word; words >> word;) {
        const std::size_t dash = word.find("–");
        steps += dash == std::string::npos
                     ? 1
                     : std::stoul(word.substr(dash + 4)) - std::stoul(word.substr(1)) + 1;
      }
    }
    EXPECT_EQ(steps, 12u) << level;
  }
}

TEST(RooflineView, MarksAnalyticPoints) {
  const Chart chart = roofline_of(host_chart());
  const auto v7 = named(all(chart.marks, "point", "dram"), "v7");
  EXPECT_EQ(only(v7).source, "analytic");
  EXPECT_TRUE(only(v7).hollow);
  EXPECT_TRUE(has_key(chart, "analytic, not counted"));
  EXPECT_FALSE(has_key(chart, "counted by hardware"));
}

TEST(RooflineView, ArrowsLeadFromStepToStep) {
  const Chart chart = roofline_of(gpu_chart());
  const auto arrows = named(all(chart.lines, "arrow", "dram"), "v9");
  ASSERT_EQ(arrows.size(), 1u);
  EXPECT_TRUE(arrows[0].arrow && arrows[0].between_marks);
  EXPECT_LT(arrows[0].points[0].x, arrows[0].points[1].x) << "v9 moves fewer bytes than v8";
  EXPECT_LT(arrows[0].points[0].y, arrows[0].points[1].y) << "and is faster";
  EXPECT_TRUE(named(all(chart.lines, "arrow", "dram"), "v1").empty());
  RooflineChart loose = gpu_chart();
  loose.in_order = false;
  EXPECT_TRUE(all(roofline_of(loose).lines, "arrow").empty());
  EXPECT_EQ(all(roofline_of(loose).lines, "link").size(), 12u) << "its levels belong together";
}

/// A step that has no mark at a level is not among those that a range there names.
TEST(RooflineView, RangesHoldOnlyWhatTheyName) {
  std::vector<Step> steps(5, ladder()[0]);
  for (std::size_t i = 0; i < steps.size(); ++i) steps[i].label = fmt::format("v{}", i + 1);
  std::erase_if(steps[2].point.levels, [](const LevelPoint& level) { return level.level == "l1"; });
  const Chart chart = roofline_of(make_chart(large_gpu(), steps).value());
  EXPECT_TRUE(has_label(chart, "v1 v2 v4 v5"));
  EXPECT_TRUE(has_label(chart, "v1–v5")) << "at the other levels";
}

TEST(RooflineView, ShowsSeveralSeriesOnOnePaper) {
  const std::vector<ChartSeries> two = {
      {gpu_chart(), "H200, cuda", 0, "0 gpu", {{"series", "a"}}},
      {host_chart(), "Xeon, omp", 1, "0 host", {{"series", "b"}}}};
  const Chart chart = make_roofline(two, "roofline", "");
  EXPECT_EQ(all(chart.marks, "point", "dram").size(), 23u);
  EXPECT_EQ(all(chart.lines, "roof", "dram").size(), 2u) << "of each machine";
  EXPECT_TRUE(all(chart.lines, "arrow", "l1").empty()) << "arrows at the outermost level alone";
  EXPECT_EQ(all(chart.lines, "arrow", "dram").size(), 21u);
  EXPECT_EQ(all(chart.marks, "point", "dram").back().colour, "series-1");
  EXPECT_TRUE(has_key(chart, "Xeon, omp"));
  EXPECT_LE(chart.y.low, host_chart().flop_per_s.low);
  EXPECT_GE(chart.y.high, gpu_chart().flop_per_s.high);
  std::vector<ChartSeries> same = two;
  same[1] = same[0];
  same[1].title = "H200, omp gpu";
  EXPECT_EQ(all(make_roofline(same, "r", "").lines, "roof", "dram").size(), 1u)
      << "roofs of one machine are drawn once";
}

TEST(RooflineView, DrawsPartsSmallAndWithoutNames) {
  std::vector<Step> steps = {ladder()[0], ladder()[5]};
  steps[1].label = "v1 kernel";
  steps[1].part = true;
  const Chart chart = roofline_of(make_chart(large_gpu(), steps).value());
  EXPECT_TRUE(all(chart.marks, "point", "dram").back().small);
  EXPECT_FALSE(has_label(chart, "kernel"));
  EXPECT_TRUE(all(chart.lines, "arrow").empty());
}

/// The box that a label fills, where it stands upright.
Box box_of(const ChartLabel& label, const Axes& axes, double size) {
  const double x = axes.x(label.at.x) + label.dx, y = axes.y(label.at.y) + label.dy;
  const double half = text_width(label.text, size) / 2;
  return {x - half, y - size / 2, x + half, y + size / 2};
}

TEST(Names, CoverNeitherEachOtherNorMarksInEitherFrame) {
  for (const Chart& chart : {roofline_of(gpu_chart()), roofline_of(host_chart()),
                             plane_of(gpu_chart()), plane_of(host_chart())})
    for (const bool narrow : {false, true}) {
      const Axes axes(chart, plot_of(narrow ? narrow_frame : chart.frame));
      std::vector<Box> boxes;
      std::vector<std::string> texts;
      for (const ChartLabel& label : narrow ? chart.narrow_labels : chart.labels) {
        if (label.outside || label.angle != 0) continue;
        boxes.push_back(box_of(label, axes, narrow ? narrow_font_size : small_font_size));
        texts.push_back(label.text);
      }
      EXPECT_FALSE(boxes.empty()) << chart.title;
      for (std::size_t i = 0; i < boxes.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j)
          EXPECT_FALSE(overlap(boxes[i], boxes[j])) << chart.title << ": " << texts[i] << " and "
                                                    << texts[j] << (narrow ? ", narrow" : "");
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
}

TEST(TimesView, HoldsWhatWasTakenAndNeeded) {
  const Chart chart = times_of(gpu_chart());
  EXPECT_EQ(all(chart.boxes, "taken").size(), 12u);
  EXPECT_EQ(all(chart.marks, "needed").size(), 48u);
  const auto v1 = named(all(chart.boxes, "taken"), "v1");
  EXPECT_NEAR(only(v1).top, 0.3049, 1e-4);
  EXPECT_LT(only(v1).left, 0);
  EXPECT_GT(only(v1).right, 0) << "around its place on the axis";
  EXPECT_TRUE(has_label(chart, "305 ms"));
  EXPECT_TRUE(has_key(chart, "needed by HBM"));
  EXPECT_EQ(chart.x.ticks.at(11).text, "v12\nFP64 peak\n53%");
  EXPECT_TRUE(only(named(all(times_of(host_chart()).marks, "needed", "dram"), "v1")).hollow);
}

TEST(TimesView, PutsSeveralSeriesBesideEachOther) {
  const Chart chart =
      make_times({{gpu_chart(), "a", 0, "0", {}}, {host_chart(), "b", 1, "1", {}}}, "time", "");
  const auto v1 = named(all(chart.boxes, "taken"), "v1");
  ASSERT_EQ(v1.size(), 2u);
  EXPECT_LE(v1[0].right, v1[1].left);
  EXPECT_EQ(v1[1].colour, "series-1");
  EXPECT_EQ(chart.x.ticks.at(11).text, "v12");
}

/// With boxes of two and four launches.
RooflineChart launching_chart() {
  Ceilings gpu = large_gpu();
  gpu.launch = {2.2e-6, 2.1e-6, 2.4e-6, ""};
  std::vector<Step> steps = ladder();
  for (std::size_t i = 0; i < steps.size(); ++i) steps[i].launches = i < 3 ? 2 : 4;
  return make_chart(gpu, steps).value();
}

TEST(PlaneView, HoldsWorkAndTimeOfEveryStep) {
  const Chart chart = plane_of(gpu_chart());
  EXPECT_EQ(all(chart.marks, "complexity", "dram").size(), 12u);
  const auto taken = named(all(chart.marks, "taken", "dram"), "v12");
  EXPECT_NEAR(only(taken).at.x, 0.02442, 1e-5);
  EXPECT_TRUE(only(taken).hollow);
  EXPECT_EQ(fact(only(taken), "held by"), "compute");
  EXPECT_EQ(all(chart.lines, "balance").size(), 1u);
  const auto corner = named(all(chart.lines, "run time"), "100 ms");
  EXPECT_EQ(only(corner).points.size(), 3u) << "both sides of the corner";
  EXPECT_TRUE(chart.boxes.empty());
  EXPECT_NE(only(chart.notes).find("was not measured"), std::string::npos);
  EXPECT_NE(chart.x.title.find("33.1 TFLOP/s"), std::string::npos) << chart.x.title;
  EXPECT_NE(chart.y.title.find("HBM at 4.10 TB/s"), std::string::npos) << chart.y.title;
  EXPECT_EQ(named(all(plane_of(host_chart()).marks, "complexity"), "v1").at(0).source, "analytic");
}

TEST(PlaneView, HoldsTheBoxesOfLaunches) {
  const Chart chart = plane_of(launching_chart());
  ASSERT_EQ(all(chart.boxes, "box").size(), 2u);
  EXPECT_EQ(chart.boxes[0].name, "8.80 us of 4 launches") << "the widest below";
  EXPECT_EQ(chart.boxes[1].name, "4.40 us of 2 launches");
  EXPECT_DOUBLE_EQ(chart.boxes[1].right, 4.4e-6);
  EXPECT_TRUE(has_label(chart, "4.40 us of 2 launches"));
}

TEST(Numbers, TakePrefixes) {
  EXPECT_EQ(with_prefix(33.1e12, "FLOP/s"), "33.1 TFLOP/s");
  EXPECT_EQ(with_prefix(4.1e12, "B/s"), "4.10 TB/s");
  EXPECT_EQ(with_prefix(999.9e9, "B/s"), "1.00 TB/s");
  EXPECT_EQ(with_prefix(0.0244, "s"), "24.4 ms");
  EXPECT_EQ(with_prefix(1.63, "s"), "1.63 s");
  EXPECT_EQ(with_prefix(2e-6, "s"), "2.00 us");
}

Texts named_ticks(const ChartAxis& axis) {
  Texts texts;
  for (const Tick& tick : axis.ticks)
    if (!tick.text.empty()) texts.push_back(tick.text);
  return texts;
}

TEST(Ticks, AreOneTwoAndFiveWithTheirUnitOverManyDecadesToo) {
  EXPECT_EQ(named_ticks(log_axis("", "s", {1e-4, 0.5}, 500, true)),
            (Texts{"100 us", "200 us", "500 us", "1 ms", "2 ms", "5 ms", "10 ms", "20 ms", "50 ms",
                   "100 ms", "200 ms", "500 ms"}));
  EXPECT_EQ(
      named_ticks(log_axis("", "FLOP/s", {1e12, 5e13}, 600, true)),
      (Texts{"1 TFLOP/s", "2 TFLOP/s", "5 TFLOP/s", "10 TFLOP/s", "20 TFLOP/s", "50 TFLOP/s"}));
  EXPECT_EQ(named_ticks(log_axis("", "FLOP/B", {0.1, 10}, 800)),
            (Texts{"0.1 FLOP/B", "0.2 FLOP/B", "0.5 FLOP/B", "1 FLOP/B", "2 FLOP/B", "5 FLOP/B",
                   "10 FLOP/B"}));
}

TEST(Ticks, AreThinnedOutWhereTheyWouldCollide) {
  EXPECT_EQ(named_ticks(log_axis("", "FLOP/B", {0.1, 1000}, 700)),
            (Texts{"0.1 FLOP/B", "1 FLOP/B", "10 FLOP/B", "100 FLOP/B", "1000 FLOP/B"}));
  EXPECT_EQ(named_ticks(log_axis("", "s", {1, 1e6}, 72, true)),
            (Texts{"1 s", "100 s", "10 ks", "1 Ms"}));
  const ChartAxis widest = log_axis("", "s", {1e-300, 1e300}, 600, true);
  EXPECT_GT(named_ticks(widest).size(), 5u);
  EXPECT_LT(named_ticks(widest).size(), 40u) << "the ends are further apart than numbers reach";
  Chart chart;
  chart.x = widest;
  EXPECT_NEAR(Axes(chart, {0, 0, 600, 1}).x(1), 300, 1);
  EXPECT_EQ(named_ticks(linear_axis("", "x", {0, 1.3})),
            (Texts{"0x", "0.2x", "0.4x", "0.6x", "0.8x", "1x", "1.2x"}));
}

TEST(Keys, WrapWhereTheyWouldLeaveThePage) {
  Chart chart;
  chart.frame = {600, 400, 50, 50, 10, 100};
  chart.key = {{"short", "ink", Shape::circle}};
  EXPECT_DOUBLE_EQ(with_room_for_key(chart).top, 100);
  chart.key.assign(6, {"a text of some length", "ink", Shape::circle});
  EXPECT_GT(with_room_for_key(chart).top, 100);
}

TEST(ChartJson, HoldsWhatThePageDraws) {
  const auto json = to_json(roofline_of(gpu_chart()));
  EXPECT_EQ(json["x"]["unit"], "FLOP/B");
  EXPECT_EQ(json["steps"].size(), 12u);
  const auto& mark = json["marks"][0];
  EXPECT_EQ(mark["shape"], "circle");
  EXPECT_EQ(mark["tags"]["level"], "l1");
  EXPECT_EQ(mark["tags"]["variant"], "v1");
  EXPECT_EQ(mark["facts"][0][0], "on");
  EXPECT_FALSE(mark.contains("hollow"));
  EXPECT_EQ(json["narrow_frame"]["width"], 390);
  EXPECT_FALSE(json["narrow_labels"].empty());
}

}  // namespace
}  // namespace roofline::test
