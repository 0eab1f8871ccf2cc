// Tests of tables and charts on terminals, in CSV files and on pages; of pictures, which are
// well-formed for any text, have one style, and end for any number.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "roofline/base/table.h"
#include "roofline/base/text.h"
#include "roofline/page/page.h"
#include "roofline/view/axes.h"
#include "roofline/view/roofline_chart.h"
#include "roofline/view/svg.h"
#include "tests/roofline/hostile_texts.h"
#include "tests/roofline/sample_chart.h"
#include "tests/roofline/well_formed.h"
#include "tests/temporary_folder.h"
#include "tests/text.h"

namespace roofline::test {
namespace {

Table sample() {
  Table table{"results", "Results", {}, {}, {"A note of several words."}};
  table.columns = {{"step", "step"},
                   {"seconds", "time", "the median", "s", Align::right},
                   {"nothing", "nothing"}};
  table.rows = {{{{"v1"}, {"1.500 s", 1.5}, {"-"}}, {}, ""},
                {{{"±, \"v2\""}, {"12.00 s", 12}, {""}}, {{"model", "omp"}}, "bad"}};
  return table;
}

TEST(Tables, AreColouredOnATerminalByTheToneOfARow) {
  Table table = sample();
  const std::string coloured = terminal_text(table, true);
  EXPECT_TRUE(contains(coloured, "\033[1;31m±"));
  EXPECT_FALSE(contains(coloured, "\033[1;31mv1"));
  table.rows[0].cells.pop_back();
  EXPECT_THROW(terminal_text(table), std::logic_error) << "a row without a cell for each column";
}

TEST(Tables, CsvHasKeysInFullAndNoFormulasAndColumnsThatSayNothingGo) {
  Table table = sample();
  EXPECT_EQ(csv_text(without_empty_columns(table)), "step,seconds\nv1,1.5\n\"±, \"\"v2\"\"\",12\n");
  table.rows[1].cells[2] = {"=1+1"};
  EXPECT_EQ(csv_text(table), "step,seconds,nothing\nv1,1.5,\n\"±, \"\"v2\"\"\",12,'=1+1\n");
}

TEST(Tables, OnAPageSortByTheirKeysAndAreHiddenByTheirTags) {
  const std::string html = page::table(sample(), {.sortable = true}).text();
  EXPECT_EQ(not_well_formed(html.substr(0, html.rfind("<p "))), "") << html;
  EXPECT_TRUE(contains_in_order(
      html,
      {"<table class=\"sortable\"><caption>Results</caption>",
       "<th scope=\"col\" class=\"number\" title=\"the median\"><button type=\"button\">time<",
       "<td class=\"number\" data-key=\"1.5\">1.500 s</td>",
       "<tr data-on=\"model=omp\"><th>±, &quot;v2&quot;</th>",
       "<p class=\"small\">A note of several words.</p>"}));
  Table other = sample();
  other.rows[0].cells[0] = {"v1", 0.5, "its note", "step-v1", "bad"};
  for (const char* part : {"<th class=\"heat tone-bad\" title=\"its note\" "
                           "style=\"--heat:1\"><a href=\"#step-v1\">v1</a>"})
    EXPECT_TRUE(contains(page::table(other, {.heat = "step"}).text(), part));
  EXPECT_TRUE(contains(page::table(other, {.opens = "step"}).text(),
                       "<details class=\"name\"><summary title=\"its note\">v1</summary><code>its "
                       "note</code></details>"));
}

TEST(Html, EscapesEveryTextAndTiesElementsToSwitches) {
  EXPECT_EQ((page::code("<b>") + " and " + std::string("&")).text(),
            "<code>&lt;b&gt;</code> and &amp;");
  EXPECT_EQ(page::element("p", {{"id", ""}, {"title", "\"<"}}, "a").text(),
            "<p title=\"&quot;&lt;\">a</p>");
  EXPECT_EQ(page::facts({{"a", "1"}, {"b", ""}}).text(),
            "<dl class=\"facts\"><div><dt>a</dt><dd>1</dd></div></dl>");
  EXPECT_EQ(page::with_tags("a", {{"model", "o=m;p"}, {"variant", "x"}, {"level", "l2"}}).text(),
            "<div data-on=\"model=o:m,p;level=l2\">a</div>");
  EXPECT_EQ(page::with_tags("a", {}).text(), "a");
  EXPECT_EQ(page::some_of("level", "Levels", {{"l1", "L1"}}).text(), "") << "nothing to choose";
  EXPECT_EQ(page::one_of("x", "", {{"a", "A"}, {"b=", "B"}}, "a").text(),
            "<fieldset class=\"switches\"><label class=\"chip\"><input type=\"radio\" name=\"x\" "
            "value=\"a\" checked=\"checked\"/><span>A</span></label><label class=\"chip\"><input "
            "type=\"radio\" name=\"x\" value=\"b:\"/><span>B</span></label></fieldset>");
}

/// Analytic and counted points, names of roofs where a row has room, and notes.
TEST(TerminalRoofline, IsTheOneThatIsKept) {
  RooflineChart noted = gpu_chart();
  noted.notes = {"v13 is not drawn: it lies above the FP64 peak, where no measured roof allows it"};
  const std::string text =
      terminal_roofline(host_chart(), "omp") + terminal_roofline(noted, "cuda");
  expect_kept("roofline/terminal_rooflines.txt", text);
  EXPECT_FALSE(contains(text, " \n"));
  EXPECT_TRUE(std::ranges::all_of(text, [](char c) { return c == '\n' || c >= ' '; }));
  EXPECT_LE(longest_line(text), 78u);
}

TEST(Visible, WritesOutWhatActsAndWhatIsNoUtf8) {
  const std::pair<std::string, const char*> texts[] = {
      {"plain – µ é 漢 🙂 'x' `y` \\n", "plain – µ é 漢 🙂 'x' `y` \\n"},
      {"a\nb\tc\rd", "a\\nb\\tc\\rd"},
      {std::string("a\0b", 3), "a\\x00b"},
      {"\x1b[31m\x07\x7f", "\\x1b[31m\\x07\\x7f"},
      {"\xc2\x9b", "\\u009b"},  // C1: an alternative CSI
      {"\u202egnp.exe\u2066\u200b", "\\u202egnp.exe\\u2066\\u200b"},
      {"\U000E0041", "\\U000e0041"},                 // a tag character
      {"\xff\xc0\xaf", "\\xff\\xc0\\xaf"},           // an overlong encoding
      {"\xe2\x80", "\\xe2\\x80"},                    // a truncated character
      {"\xed\xa0\x80", "\\xed\\xa0\\x80"},           // an encoded surrogate
      {"\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"},  // a code point beyond Unicode
      {"\x9b", "\\x9b"}};                            // C1 as a single byte
  for (const auto& [text, shown] : texts) EXPECT_EQ(visible(text), shown);
  EXPECT_EQ(visible_lines("a\nb\x1b"), "a\nb\\x1b");
}

TEST(XmlTexts, AreWellFormedWhateverTheyHold) {
  EXPECT_EQ(xml_text("a<b> & \"c\" ]]>"), "a&lt;b&gt; &amp; &quot;c&quot; ]]&gt;");
  EXPECT_EQ(xml_text("cut \xe2\x80"), "cut \\xe2\\x80");
  std::vector<std::string> texts = {std::string("a\0b", 3),
                                    "]]>",
                                    "\" onload=\"alert(1)",
                                    "<?xml?>",
                                    "</text></svg>",
                                    "<!--",
                                    "<![CDATA[",
                                    "cut \xe2\x80"};
  std::mt19937 random(1);
  for (int i = 0; i < 5'000; ++i) texts.push_back(hostile_text(random));
  for (const std::string& text : texts) {
    const std::string element = svg_element("text", {{"x", text}, {"y", "1"}}, text);
    ASSERT_EQ(not_well_formed(element), "") << element;
    ASSERT_EQ(visible(visible(text)), visible(text));
  }
}

TEST(SvgNumbers, AreShortAndHaveNoExponents) {
  const std::pair<double, const char*> numbers[] = {{1.0 / 3, "0.3"},  {120, "120"},
                                                    {-0.001, "0"},     {12.50, "12.5"},
                                                    {1e7, "10000000"}, {NAN, "0"}};
  for (const auto& [number, text] : numbers) EXPECT_EQ(svg_number(number), text);
}

TEST(Svg, DrawsWhatAChartHolds) {
  Chart chart{"name", "A title", "", "words for blind readers", {400, 300, 50, 40, 20, 60}};
  chart.x = log_axis("across", "s", {1, 100});
  chart.y = log_axis("up", "s", {1, 100});
  chart.boxes = {{{"box", "", "", "box"}, 1, 1, 10, 10}};
  chart.lines = {{{"roof", "dram", "DRAM", "ink"}, {{1, 1}, {10, 10}}, 2, "dash"}};
  chart.marks = {
      {{"", "", "", "level-dram", {{"level", "dram"}}, "A <mark>", {{"rate", "1"}}}, {10, 10}}};
  chart.labels = {{"a label", {10, 10}, 30, 0, "ink", {}, 0, true}};
  chart.notes = {"a note", "another"};
  chart.key = {{"a key", "ink"}};
  finish(chart);
  // The middle of both axes is at (215, 160).
  for (const std::string& svg : {svg_text(chart), svg_in_page(chart, "id")}) {
    EXPECT_EQ(not_well_formed(svg), "") << svg;
    EXPECT_TRUE(
        contains_all(svg, {"across", "stroke-dasharray=\"7 5\"", "cx=\"215\"", "cy=\"160\"",
                           ">a label<", "<rect x=\"50\" y=\"160\" width=\"165\" height=\"100\"",
                           "<g data-on=\"level=dram\"><title>A &lt;mark&gt;\nrate: 1</title>"}));
    const bool file = contains_all(svg, {"A title", "a note; another", "a key", "#D9D9D9"});
    EXPECT_NE(file, contains_all(svg, {"var(--box)", "aria-label=\"words for blind readers\""}));
  }
}

TEST(Style, HasAColourAndAShapeForEachLevelAndAValueForEachColour) {
  std::set<std::string> colours;
  std::set<Shape> shapes;
  for (const char* level : {"l1", "l2", "l3", "dram", "shared", "compute"}) {
    colours.insert(colour_value(level_style(level).colour));
    shapes.insert(level_style(level).shape);
  }
  EXPECT_EQ(colours.size(), 6u);
  EXPECT_EQ(shapes.size(), 6u);
  const std::string styles = colour_styles();
  for (const PaletteColour& colour : palette()) {
    for (const bool dark : {false, true})
      EXPECT_EQ(colour_value(colour.name, dark).find_first_not_of("0123456789ABCDEF", 1),
                std::string::npos)
          << colour.name;
    const std::string name = "--" + colour.name + ": ";
    EXPECT_TRUE(contains_in_order(styles, {name, name, name}))
        << "light, chosen dark, reader's dark";
  }
  EXPECT_THROW(colour_value("no such colour"), std::logic_error);
}

TEST(ChartFiles, ArePicturesAndNeverThrow) {
  const TemporaryFolder folder("charts of 'O''Hara'");
  const std::vector<Chart> charts = {make_times(gpu_chart(), "time", "")};
  EXPECT_EQ(write_charts(folder.path(), charts).note, "Charts: time.svg");
  EXPECT_EQ(file_text(folder / "time.svg"), svg_text(charts[0]));
  const WrittenCharts lost = write_charts("/no such folder", charts);
  EXPECT_FALSE(lost.complete);
  EXPECT_TRUE(contains(lost.note, "Charts: not written"));
  EXPECT_EQ(file_stem("x'; system('y')|<`\n\xc3\xa9/_2.5"), "x___system__y__________2.5");
  nlohmann::ordered_json json;
  add_charts(json, charts);
  EXPECT_EQ(json["charts"][0]["name"], "time");
  EXPECT_EQ(json["charts"][0]["svg"], svg_text(charts[0]));
}

TEST(Ticks, EndWhateverTheRange) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const std::vector<double> ends = {
      0,     -1,    5e-324,   1e-300,    1e-9,   1,   1e18,
      1e300, 1e308, infinity, -infinity, -1e308, NAN, std::numeric_limits<double>::max()};
  for (const double low : ends)
    for (const double high : ends) {
      for (const Range& range : {Range{low, high}, decades(low, high), round_range(low, high)}) {
        ChartAxis axis = log_axis("", "s", range), linear{"", "s", false, low, high};
        for (ChartAxis* one : {&axis, &linear}) fill_ticks(*one, 600, true);
        EXPECT_LT(axis.ticks.size() + linear.ticks.size(), 60u) << low << " to " << high;
        EXPECT_TRUE(axis.low > 0 && axis.high > axis.low && std::isfinite(axis.high));
      }
      const Range held = decades(low, high);
      EXPECT_TRUE(held.low > 0 && held.high > held.low && std::isfinite(held.high)) << low << high;
    }
  for (const double value : ends) EXPECT_FALSE(with_prefix(value, "s").empty());
}

}  // namespace
}  // namespace roofline::test
