// Scripts of gnuplot: no text gets out of its string, and no number makes one endless.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <limits>

#include "roofline/base/visible.h"
#include "roofline/charts/labels.h"
#include "roofline/charts/plane_drawing.h"
#include "roofline/charts/roofline_drawing.h"
#include "roofline/charts/time_drawing.h"
#include "tests/roofline/hostile_texts.h"
#include "tests/roofline/sample_chart.h"
#include "tests/roofline/script_strings.h"
#include "tests/temporary_folder.h"

namespace roofline {
namespace {

namespace fs = std::filesystem;
using test::strings_of;

/// As gnuplot draws it.
std::string drawn(const std::string& text) {
  std::string result;
  for (const char c : visible(text)) result += c == '\'' || c == '`' ? "’" : std::string(1, c);
  return result;
}

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

TEST(Scripts, AQuotedTextIsOneStringWhateverItHolds) {
  std::mt19937 random(1);
  for (int i = 0; i < 20'000; ++i) {
    const std::string text = test::hostile_text(random);
    const auto strings = strings_of(quoted(text));
    ASSERT_TRUE(strings.has_value()) << quoted(text);
    ASSERT_EQ(strings->size(), 1u) << quoted(text);
    ASSERT_EQ(strings->front(), drawn(text));
    ASSERT_EQ(visible(visible(text)), visible(text));
  }
}

TEST(Scripts, ATicLabelIsItsLinesWhateverTheyHold) {
  EXPECT_EQ(tic_label({"v1", "50%"}), "'v1'.\"\\n\".'50%%'");
  std::mt19937 random(2);
  for (int i = 0; i < 2'000; ++i) {
    const auto strings =
        strings_of(tic_label({test::hostile_text(random), test::hostile_text(random)}));
    ASSERT_TRUE(strings.has_value());
    ASSERT_EQ(strings->size(), 3u);
  }
}

TEST(Scripts, NamesOfFilesHoldNothingThatActs) {
  EXPECT_EQ(file_stem("roofline-H200_2.5"), "roofline-H200_2.5");
  EXPECT_EQ(file_stem("x'; system('y')|<`\n\xc3\xa9/"), "x___system__y_________");
}

/// The chart with every text of a record replaced.
RooflineChart with_texts(const std::string& text) {
  RooflineChart chart = make_chart(test::large_gpu(), test::ladder()).value();
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

TEST(Scripts, HoldNoTextOutsideOfStrings) {
  std::vector<std::string> texts = test::commands_in_texts();
  std::mt19937 random(3);
  for (int i = 0; i < 20; ++i) texts.push_back(test::hostile_text(random));
  for (const std::string& text : texts)
    for (const Drawing& drawing :
         {draw_roofline(with_texts(text), text, text), draw_times(with_texts(text), text, text),
          draw_plane(with_texts(text), text, text).value()})
      ASSERT_TRUE(strings_of(drawing.script).has_value()) << drawing.script;
}

TEST(Scripts, RunNoCommandsOfTexts) {
  if (std::system("gnuplot --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "no gnuplot here";
  const gpp::test::TemporaryFolder folder;
  for (const std::string& text : test::commands_in_texts()) {
    for (const Drawing& drawing : {draw_times(with_texts(text), "x" + text, text),
                                   draw_plane(with_texts(text), "y" + text, text).value()}) {
      std::ofstream(folder / (drawing.name + ".gp")) << drawing.script;
      std::ofstream(folder / (drawing.name + ".csv")) << drawing.table;
      const std::string command = "cd '" + folder.path().string() + "' && gnuplot -d " +
                                  drawing.name + ".gp > messages 2>&1";
      EXPECT_EQ(std::system(command.c_str()), 0)
          << text << std::ifstream(folder / "messages").rdbuf();
      EXPECT_FALSE(fs::exists(folder / "PWNED")) << text;
      EXPECT_TRUE(fs::exists(folder / (drawing.name + ".svg")));
    }
  }
}

TEST(Scripts, TicsEndWhateverTheRange) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const std::vector<double> ends = {
      0,     -1,    5e-324,   1e-300,    1e-9,   1,   1e18,
      1e300, 1e308, infinity, -infinity, -1e308, NAN, std::numeric_limits<double>::max()};
  for (const double low : ends)
    for (const double high : ends) {
      for (const Range& range :
           {Range{low, high}, decades(low, high), round_range(low, high), bounded({low, high})})
        EXPECT_LT(log_tics('x', range, "s", 600).size(), 200'000u) << low << " to " << high;
      const Range held = decades(low, high);
      EXPECT_TRUE(held.low > 0 && held.high > held.low && std::isfinite(held.high)) << low << high;
    }
  for (const double value : ends) EXPECT_FALSE(with_prefix(value, "s").empty());
}

TEST(Scripts, LinesWithoutEndAreNotInTheWay) {
  LabelPlacer placer({0, 0, 200, 200});
  placer.avoid_line(0, 0, std::numeric_limits<double>::infinity(), 10, 3);
  placer.avoid_line(0, NAN, 10, 10, 3);
  placer.avoid_line(-1e300, 0, 1e300, 0, 3);
  EXPECT_EQ(placer.cost({0, 0, 200, 200}), 0);
}

}  // namespace
}  // namespace roofline
