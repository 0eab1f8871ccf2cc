// The drawings: their tables, and what gnuplot makes of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "roofline/charts/plane_drawing.h"
#include "roofline/charts/roofline_drawing.h"
#include "roofline/charts/time_drawing.h"
#include "tests/roofline/sample_chart.h"
#include "tests/temporary_folder.h"

namespace roofline {
namespace {

namespace fs = std::filesystem;

RooflineChart gpu_chart() { return make_chart(test::large_gpu(), test::ladder()).value(); }
RooflineChart host_chart() {
  return make_chart(test::processor(), test::analytic_ladder()).value();
}

/// Lines of a table that begin so.
std::vector<std::string> rows(const Drawing& drawing, const std::string& start) {
  std::vector<std::string> list;
  std::istringstream lines(drawing.table);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(start)) list.push_back(line);
  return list;
}

TEST(RooflineTable, HoldsAMarkerPerStepAndLevel) {
  const Drawing drawing = draw_roofline(gpu_chart(), "roofline", "");
  EXPECT_EQ(rows(drawing, "point,l1,").size(), 12u);
  EXPECT_EQ(rows(drawing, "point,dram,").size(), 12u);
  EXPECT_EQ(rows(drawing, "point,l2,v7,counted,").size(), 1u);
  EXPECT_EQ(rows(drawing, "roof,").size(), 4u);
  EXPECT_EQ(rows(drawing, "thin roof,").size(), 2u);
  EXPECT_EQ(rows(drawing, "mix,").size(), 5u);
}

TEST(RooflineTable, NamesEveryStepAtEveryLevelOnce) {
  const Drawing drawing = draw_roofline(gpu_chart(), "roofline", "");
  for (const std::string level : {"l1", "l2", "dram"}) {
    std::size_t named = 0;
    for (const std::string& row : rows(drawing, "name," + level + ",")) {
      std::istringstream labels(row.substr(std::string("name,," + level).size()));
      std::string text;
      std::getline(labels, text, ',');
      std::istringstream words(text);
      for (std::string word; words >> word;) {
        const std::size_t dash = word.find("–");
        named += dash == std::string::npos
                     ? 1
                     : std::stoul(word.substr(dash + 4)) - std::stoul(word.substr(1)) + 1;
      }
    }
    EXPECT_EQ(named, 12u) << level << "\n" << drawing.table;
  }
}

TEST(RooflineTable, MarksAnalyticPoints) {
  const Drawing drawing = draw_roofline(host_chart(), "roofline", "");
  EXPECT_EQ(rows(drawing, "point,dram,v7,analytic,").size(), 1u);
  EXPECT_NE(drawing.script.find("analytic, not counted"), std::string::npos);
  EXPECT_NE(drawing.script.find("pointtype 12"), std::string::npos) << "hollow diamonds";
  EXPECT_EQ(drawing.script.find("counted by hardware"), std::string::npos);
}

TEST(RooflineTable, ArrowsLeadFromStepToStep) {
  const Drawing drawing = draw_roofline(gpu_chart(), "roofline", "");
  const std::vector<std::string> arrows = rows(drawing, "arrow,dram,v9,");
  ASSERT_EQ(arrows.size(), 1u);
  std::istringstream fields(arrows[0]);
  std::vector<std::string> list;
  for (std::string field; std::getline(fields, field, ',');) list.push_back(field);
  EXPECT_LT(std::stod(list[4]), std::stod(list[6])) << "v9 moves fewer bytes than v8";
  EXPECT_LT(std::stod(list[5]), std::stod(list[7])) << "and is faster";
  EXPECT_TRUE(rows(drawing, "arrow,dram,v1,").empty());
}

TEST(TimeTable, HoldsWhatWasTakenAndNeeded) {
  const Drawing drawing = draw_times(gpu_chart(), "time", "");
  EXPECT_EQ(rows(drawing, "taken,").size(), 12u);
  EXPECT_EQ(rows(drawing, "needed,").size(), 48u);
  EXPECT_EQ(rows(drawing, "taken,v1,305 ms,measured,1,0.3049").size(), 1u) << drawing.table;
  EXPECT_EQ(rows(draw_times(host_chart(), "time", ""), "needed,dram,v1,analytic,").size(), 1u);
}

/// With boxes of two and four launches.
RooflineChart launching_chart() {
  Ceilings gpu = test::large_gpu();
  gpu.launch = {2.2e-6, 2.1e-6, 2.4e-6, ""};
  std::vector<Step> steps = test::ladder();
  for (std::size_t i = 0; i < steps.size(); ++i) steps[i].launches = i < 3 ? 2 : 4;
  return make_chart(gpu, steps).value();
}

TEST(PlaneTable, HoldsWorkAndTimeOfEveryStep) {
  const Drawing drawing = draw_plane(gpu_chart(), "plane", "").value();
  EXPECT_EQ(rows(drawing, "complexity,dram,").size(), 12u);
  EXPECT_EQ(rows(drawing, "taken,dram,").size(), 12u);
  EXPECT_EQ(rows(drawing, "taken,dram,v12,measured,0.02442,").size(), 1u) << drawing.table;
  EXPECT_EQ(rows(drawing, "balance,").size(), 1u);
  EXPECT_GE(rows(drawing, "run time,run time,100 ms,").size(), 2u) << "both sides of the corner";
  EXPECT_TRUE(rows(drawing, "box name,").empty());
  EXPECT_EQ(drawing.script.find("set object"), std::string::npos);
  EXPECT_NE(drawing.script.find("was not measured"), std::string::npos);
  EXPECT_EQ(
      rows(draw_plane(host_chart(), "plane", "").value(), "complexity,dram,v1,analytic,").size(),
      1u);
}

TEST(PlaneTable, HoldsTheBoxesOfLaunches) {
  const Drawing drawing = draw_plane(launching_chart(), "plane", "").value();
  EXPECT_EQ(rows(drawing, "box name,box,4.40 µs of 2 launches,").size(), 1u) << drawing.table;
  EXPECT_EQ(rows(drawing, "box name,box,8.80 µs of 4 launches,").size(), 1u);
  EXPECT_NE(drawing.script.find("set object rectangle"), std::string::npos);
}

TEST(Numbers, TakePrefixes) {
  EXPECT_EQ(with_prefix(33.1e12, "FLOP/s"), "33.1 TFLOP/s");
  EXPECT_EQ(with_prefix(4.1e12, "B/s"), "4.10 TB/s");
  EXPECT_EQ(with_prefix(999.9e9, "B/s"), "1.00 TB/s");
  EXPECT_EQ(with_prefix(0.0244, "s"), "24.4 ms");
  EXPECT_EQ(with_prefix(1.63, "s"), "1.63 s");
  EXPECT_EQ(with_prefix(2e-6, "s"), "2.00 µs");
}

TEST(Texts, AreQuoted) {
  EXPECT_EQ(quoted("it's"), "'it’s'");
  EXPECT_EQ(csv_line({"a", "b,c", "d\"e"}), "a,\"b,c\",\"d\"\"e\"\n");
}

/// Names of tics: "'1 ms' 0.001 0" stands for one.
std::vector<std::string> named_tics(const std::string& tics) {
  std::vector<std::string> names;
  for (std::size_t at = tics.find('\''); at != std::string::npos; at = tics.find('\'', at)) {
    const std::size_t end = tics.find('\'', at + 1);
    if (end > at + 1) names.push_back(tics.substr(at + 1, end - at - 1));
    at = end + 1;
  }
  return names;
}

TEST(Tics, AreOneTwoAndFiveWithTheirUnitOverManyDecadesToo) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(named_tics(log_tics('y', {1e-4, 0.5}, "s", 500)),
            (Names{"100 µs", "200 µs", "500 µs", "1 ms", "2 ms", "5 ms", "10 ms", "20 ms", "50 ms",
                   "100 ms", "200 ms", "500 ms"}));
  EXPECT_EQ(
      named_tics(log_tics('y', {1e12, 5e13}, "FLOP/s", 600)),
      (Names{"1 TFLOP/s", "2 TFLOP/s", "5 TFLOP/s", "10 TFLOP/s", "20 TFLOP/s", "50 TFLOP/s"}));
  EXPECT_EQ(named_tics(log_tics('x', {0.1, 10}, "FLOP/B", 800)),
            (Names{"0.1 FLOP/B", "0.2 FLOP/B", "0.5 FLOP/B", "1 FLOP/B", "2 FLOP/B", "5 FLOP/B",
                   "10 FLOP/B"}));
}

TEST(Tics, AreThinnedOutWhereTheyWouldCollide) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(named_tics(log_tics('x', {0.1, 1000}, "FLOP/B", 700)),
            (Names{"0.1 FLOP/B", "1 FLOP/B", "10 FLOP/B", "100 FLOP/B", "1000 FLOP/B"}));
  EXPECT_EQ(named_tics(log_tics('y', {1, 1e6}, "s", 72)), (Names{"1 s", "100 s", "10 ks", "1 Ms"}));
}

TEST(Keys, WrapWhereTheyWouldLeaveThePage) {
  const Page page{600, 400, {50, 50, 590, 300}};
  const std::vector<KeyEntry> one = {{"short", "#000000", 7}};
  const std::vector<KeyEntry> many(6, {"a text of some length", "#000000", 7});
  EXPECT_DOUBLE_EQ(with_room_for_key(page, one).plot.top, 300);
  EXPECT_LT(with_room_for_key(page, many).plot.top, 300);
}

/// Draws in a folder of its own; without gnuplot there is nothing to see.
class Gnuplot : public testing::Test {
 protected:
  void SetUp() override {
    if (std::system("gnuplot --version >/dev/null 2>&1") != 0)
      GTEST_SKIP() << "gnuplot is not installed";
  }

  /// What gnuplot says; the SVG is then in `svg`.
  std::string draw(const Drawing& drawing) {
    std::ofstream(folder / (drawing.name + ".gp")) << drawing.script;
    std::ofstream(folder / (drawing.name + ".csv")) << drawing.table;
    const std::string command = "cd '" + folder.string() + "' && gnuplot -d " + drawing.name +
                                ".gp >messages 2>&1 || echo failed >>messages";
    EXPECT_EQ(std::system(command.c_str()), 0);
    svg = read(drawing.name + ".svg");
    png = read(drawing.name + ".png");
    return read("messages");
  }
  std::string read(const std::string& name) const {
    std::ifstream stream(folder / name);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  std::string svg, png;
  gpp::test::TemporaryFolder temporary{"gpp drawings"};
  const fs::path folder = temporary.path();
};

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_F(Gnuplot, DrawsTheRooflineWithEveryLabelAndNoWarning) {
  const Drawing drawing = draw_roofline(gpu_chart(), "roofline", "what ran, 100% of 'it'");
  EXPECT_EQ(draw(drawing), "");
  EXPECT_TRUE(png.starts_with("\x89PNG"));
  for (const std::string& row : rows(drawing, "name,")) {
    const std::size_t from = row.find(',', 5) + 1;
    const std::string text = row.substr(from, row.find(',', from) - from);
    EXPECT_TRUE(has(svg, ">" + text + "<") || has(svg, text)) << text;
  }
  for (const char* text : {"HBM 4.10 of 4.80 TB/s", "L1 32.0 of 33.4 TB/s", "L2 7.40 TB/s",
                           "FP64 FMA 33.1 of 33.4 TFLOP/s", "3 operands 22.1 of 22.3 TFLOP/s",
                           "FMA mix v12: 27.5 TFLOP/s", "NVIDIA H200", "20 TFLOP/s",
                           "what ran, 100% of ’it’", "counted by hardware"})
    EXPECT_TRUE(has(svg, text)) << text;
}

TEST_F(Gnuplot, DrawsAnalyticPointsOfAProcessor) {
  EXPECT_EQ(draw(draw_roofline(host_chart(), "roofline", "")), "");
  for (const char* text : {"DRAM 21.0 GB/s", "L1 700 GB/s", "analytic, not counted", "v12"})
    EXPECT_TRUE(has(svg, text)) << text;
}

TEST_F(Gnuplot, DrawsTheTimes) {
  EXPECT_EQ(draw(draw_times(gpu_chart(), "time", "")), "");
  for (const char* text : {"305 ms", "24.4 ms", "needed by HBM", "54%", "v12"})
    EXPECT_TRUE(has(svg, text)) << text;
  EXPECT_EQ(draw(draw_times(host_chart(), "time", "")), "");
}

TEST_F(Gnuplot, DrawsTheTimePlane) {
  EXPECT_EQ(draw(draw_plane(launching_chart(), "plane", "what ran").value()), "");
  for (const char* text :
       {"v12", "4.40 µs of 2 launches", "HBM at 4.10 TB/s", "33.1 TFLOP/s", "what ran"})
    EXPECT_TRUE(has(svg, text)) << text;
  EXPECT_EQ(draw(draw_plane(host_chart(), "plane", "").value()), "");
  EXPECT_TRUE(has(svg, "nothing is launched on a processor"));
}

TEST_F(Gnuplot, DrawsASingleStep) {
  std::vector<Step> one = {test::ladder()[0]};
  one[0].label = "an_idea^{2}";
  const RooflineChart chart = make_chart(test::large_gpu(), one).value();
  EXPECT_EQ(draw(draw_roofline(chart, "roofline", "")), "");
  EXPECT_TRUE(has(svg, "an_idea^{2}"));
  EXPECT_EQ(draw(draw_times(chart, "time", "")), "");
}

}  // namespace
}  // namespace roofline
