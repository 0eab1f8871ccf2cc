// Pictures: well-formed whatever their texts hold, the same on every machine, in one style; and no
// number makes one endless.
#include "roofline/view/svg.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <filesystem>
#include <limits>
#include <set>

#include "roofline/base/units.h"
#include "roofline/base/visible.h"
#include "roofline/view/chart_files.h"
#include "roofline/view/chart_json.h"
#include "roofline/view/device_charts.h"
#include "roofline/view/labels.h"
#include "roofline/view/style.h"
#include "tests/roofline/hostile_texts.h"
#include "tests/roofline/sample_chart.h"
#include "tests/roofline/well_formed.h"
#include "tests/temporary_folder.h"
#include "tests/text.h"

namespace roofline::test {
namespace {

namespace fs = std::filesystem;

TEST(Visible, WritesOutWhatActs) {
  EXPECT_EQ(visible("plain – µ é 漢 🙂 'x' `y` \\n"),
            "plain – µ é 漢 🙂 'x' `y` \\n");
  EXPECT_EQ(visible("a\nb\tc\rd"), "a\\nb\\tc\\rd");
  EXPECT_EQ(visible(std::string_view("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(visible("\x1b[31m\x07\x7f"), "\\x1b[31m\\x07\\x7f");
  EXPECT_EQ(visible("\xc2\x9b"), "\\u009b") << "C1: another CSI";
  EXPECT_EQ(visible("\u202egnp.exe\u2066\u200b"), "\\u202egnp.exe\\u2066\\u200b");
  EXPECT_EQ(visible("\U000E0041"), "\\U000e0041") << "a tag";
  EXPECT_EQ(visible_lines("a\nb\x1b"), "a\nb\\x1b");
}

TEST(Visible, WritesOutWhatIsNoUtf8) {
  EXPECT_EQ(visible("\xff\xc0\xaf"), "\\xff\\xc0\\xaf") << "overlong";
  EXPECT_EQ(visible("\xe2\x80"), "\\xe2\\x80") << "cut off";
  EXPECT_EQ(visible("\xed\xa0\x80"), "\\xed\\xa0\\x80") << "a surrogate";
  EXPECT_EQ(visible("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80") << "beyond the last";
  EXPECT_EQ(visible("\x9b"), "\\x9b") << "C1 as a byte alone";
}

/// Texts that end what they stand in, where nobody escapes them.
std::vector<std::string> texts_that_act() {
  std::vector<std::string> texts = {"]]>",
                                    "<script>alert(1)</script>",
                                    "\" onload=\"alert(1)",
                                    "</text></svg>",
                                    "&amp; &lt",
                                    "<!--",
                                    "<![CDATA[",
                                    "\xc3",
                                    "cut \xe2\x80",
                                    "' onclick='x",
                                    "<?xml?>",
                                    "\x1b[2J\n\r",
                                    std::string("a\0b", 3)};
  for (const std::string& command : commands_in_texts()) texts.push_back(command);
  return texts;
}

TEST(XmlTexts, AreWellFormedWhateverTheyHold) {
  EXPECT_EQ(xml_text("a<b> & \"c\" ]]>"), "a&lt;b&gt; &amp; &quot;c&quot; ]]&gt;");
  EXPECT_EQ(xml_text("cut \xe2\x80"), "cut \\xe2\\x80");
  std::vector<std::string> texts = texts_that_act();
  std::mt19937 random(1);
  for (int i = 0; i < 5'000; ++i) texts.push_back(hostile_text(random));
  for (const std::string& text : texts) {
    const std::string element = svg_element("text", {{"x", text}, {"y", "1"}}, text);
    ASSERT_EQ(not_well_formed(element), "") << element;
    ASSERT_EQ(visible(visible(text)), visible(text));
  }
}

TEST(XmlTexts, TheirTestSeesWhatIsWrong) {
  for (const char* text : {"<a>", "<a></b>", "<a x=\"1\" x=\"2\"/>", "<a>&x;</a>", "<a>></a>",
                           "<a x=\"<\"/>", "<a/><b/>text", "<a>\x1b</a>", "", "<a></a><b></b>"})
    EXPECT_NE(not_well_formed(text), "") << text;
  EXPECT_EQ(not_well_formed("<a x=\"1\"><b/>&lt;</a>\n"), "");
}

TEST(SvgNumbers, AreShortAndHaveNoExponents) {
  EXPECT_EQ(svg_number(1.0 / 3), "0.33");
  EXPECT_EQ(svg_number(120), "120");
  EXPECT_EQ(svg_number(-0.001), "0");
  EXPECT_EQ(svg_number(12.50), "12.5");
  EXPECT_EQ(svg_number(1e7), "10000000");
  EXPECT_EQ(svg_number(NAN), "0");
}

TEST(ChartFiles, NamesOfFilesHoldNothingThatActs) {
  EXPECT_EQ(file_stem("roofline-H200_2.5"), "roofline-H200_2.5");
  EXPECT_EQ(file_stem("x'; system('y')|<`\n\xc3\xa9/"), "x___system__y_________");
}

/// The chart with every text of a record replaced.
RooflineChart with_texts(const std::string& text) {
  RooflineChart chart = gpu_chart();
  chart.device = text;
  chart.notes = {text};
  for (Roof& roof : chart.roofs) {
    roof.label = text;
    if (roof.name != "fp64_fma") roof.name += text;
  }
  for (std::string& level : chart.levels) level += text;
  for (Step& step : chart.steps) {
    step.label = text;
    step.point.bound_by += text;
    for (LevelPoint& level : step.point.levels) level.level += text;
  }
  return chart;
}

std::vector<Chart> charts_of(const RooflineChart& chart, const std::string& text) {
  return {make_roofline({{chart}}, text, text), make_times({{chart}}, text, text),
          make_plane({{chart}}, plane_level(chart), text, text).value()};
}

TEST(Svg, IsWellFormedWhateverTheTextsOfARecordHold) {
  std::vector<std::string> texts = texts_that_act();
  std::mt19937 random(3);
  for (int i = 0; i < 20; ++i) texts.push_back(hostile_text(random));
  for (const std::string& text : texts)
    for (const Chart& chart : charts_of(with_texts(text), text)) {
      const std::string svg = svg_text(chart);
      ASSERT_EQ(not_well_formed(svg), "") << svg;
      ASSERT_FALSE(contains(svg, "<script"));
      const std::string table = csv_text(chart_table(chart));
      ASSERT_EQ(visible_lines(table), table);
      ASSERT_FALSE(
          to_json(chart).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace).empty());
    }
}

TEST(Svg, IsTheSameEachTime) {
  const RooflineChart chart = gpu_chart();
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_EQ(svg_text(charts_of(chart, "x")[i]), svg_text(charts_of(chart, "x")[i]));
}

TEST(Svg, DrawsWhatAChartHolds) {
  Chart chart;
  chart.title = "A title";
  chart.frame = {400, 300, 50, 40, 20, 60};
  chart.x = log_axis("across", "s", {1, 100}, 330);
  chart.y = log_axis("up", "s", {1, 100}, 200, true);
  chart.boxes = {{1, 1, 10, 10, "box", "", "", "box"}};
  chart.lines = {{{{1, 1}, {10, 10}}, "roof", "dram", "DRAM", "ink", 2, "dash"}};
  ChartMark mark;
  mark.at = {10, 10};
  mark.colour = "level-dram";
  mark.low = 5;
  mark.high = 20;
  chart.marks = {mark};
  chart.labels = {{"a label", {10, 10}, 30, 0, 0, true, false, false, "ink"}};
  chart.notes = {"a note", "another"};
  const std::string svg = svg_text(chart);
  EXPECT_EQ(not_well_formed(svg), "") << svg;
  // The middle of both axes lies at (215, 160): error bars reach 30.1 pixels up and down.
  EXPECT_TRUE(contains_all(
      svg, {"A title", "a note; another", "across", "stroke-dasharray=\"7 5\"", "cx=\"215\"",
            "cy=\"160\"", "y1=\"190.1\"", "y2=\"129.9\"", ">a label<", "fill=\"#D9D9D9\"",
            "<rect x=\"50\" y=\"160\" width=\"165\" height=\"100\""}));
}

TEST(Svg, CutsLinesAtTheRimsOfMarks) {
  Chart chart;
  chart.frame = {200, 100, 0, 0, 0, 0};
  chart.x = linear_axis("", "", {0, 200});
  chart.y = linear_axis("", "", {0, 100});
  chart.lines = {{{{50, 50}, {150, 50}}, "arrow", "", "", "ink", 1, "", true, true}};
  EXPECT_TRUE(contains(svg_text(chart), "142,50"));
  chart.lines[0].points[1].x = 60;  // the marks touch
  EXPECT_FALSE(contains(svg_text(chart), "<polyline"));
}

TEST(Style, HasAColourAndAShapeForEachLevel) {
  std::set<std::string> colours;
  std::set<Shape> shapes;
  for (const char* level : {"l1", "l2", "l3", "dram", "shared", "compute"}) {
    colours.insert(colour_value(level_style(level).colour));
    shapes.insert(level_style(level).shape);
  }
  EXPECT_EQ(colours.size(), 6u);
  EXPECT_EQ(shapes.size(), 6u);
  EXPECT_EQ(level_style("l1").shape, Shape::circle);
  EXPECT_EQ(level_style("l2").shape, Shape::square);
  EXPECT_EQ(level_style("l3").shape, Shape::triangle);
  EXPECT_EQ(level_style("dram").shape, Shape::diamond);
  EXPECT_EQ(level_style("shared").shape, Shape::pentagon);
  for (const Shape shape : shapes) EXPECT_NE(shape_name(shape), std::string());
}

TEST(Style, EveryColourHasAValueOnLightAndDarkPaper) {
  for (const PaletteColour& colour : palette())
    for (const bool dark : {false, true}) {
      const std::string& value = colour_value(colour.name, dark);
      EXPECT_EQ(value.size(), 7u) << colour.name;
      EXPECT_EQ(value.find_first_not_of("0123456789ABCDEF", 1), std::string::npos) << value;
    }
  for (std::size_t i = 0; i < 30; ++i) EXPECT_NO_THROW(colour_value(series_colour(i)));
  EXPECT_THROW(colour_value("no such colour"), std::logic_error);
}

TEST(ChartFiles, AreAPictureAndItsValues) {
  const TemporaryFolder folder("charts of 'O''Hara'");
  const RooflineChart chart = gpu_chart();
  const std::vector<Chart> charts = {make_times({{chart}}, "time", ""),
                                     make_roofline({{chart}}, "roofline", "")};
  EXPECT_EQ(write_charts(folder.path(), charts).note, "Charts: time.svg roofline.svg");
  for (const Chart& one : charts) {
    EXPECT_EQ(file_text(folder / (one.name + ".svg")), svg_text(one));
    EXPECT_EQ(file_text(folder / (one.name + ".csv")), csv_text(chart_table(one)));
  }
}

TEST(ChartFiles, NeverThrow) {
  const RooflineChart chart = gpu_chart();
  const WrittenCharts written = write_charts("/no such folder", {make_times({{chart}}, "t", "")});
  EXPECT_FALSE(written.complete);
  EXPECT_TRUE(contains(written.note, "Charts: not written"));
}

TEST(Ticks, EndWhateverTheRange) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const std::vector<double> ends = {
      0,     -1,    5e-324,   1e-300,    1e-9,   1,   1e18,
      1e300, 1e308, infinity, -infinity, -1e308, NAN, std::numeric_limits<double>::max()};
  for (const double low : ends)
    for (const double high : ends) {
      for (const Range& range :
           {Range{low, high}, decades(low, high), round_range(low, high), bounded({low, high})})
        EXPECT_LT(log_axis("", "s", range, 600).ticks.size(), 6'000u) << low << " to " << high;
      const Range held = decades(low, high);
      EXPECT_TRUE(held.low > 0 && held.high > held.low && std::isfinite(held.high)) << low << high;
    }
  for (const double value : ends) EXPECT_FALSE(with_prefix(value, "s").empty());
}

}  // namespace
}  // namespace roofline::test
