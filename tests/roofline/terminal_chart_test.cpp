// The roofline as text.
#include "roofline/view/terminal_chart.h"

#include <sstream>

#include "tests/roofline/sample_chart.h"
#include "tests/text.h"

namespace roofline::test {
namespace {

std::size_t longest_line(const std::string& text) {
  std::istringstream lines(text);
  std::size_t longest = 0;
  for (std::string line; std::getline(lines, line);) {
    std::size_t characters = 0;
    for (const char c : line)
      if ((static_cast<unsigned char>(c) & 0xC0) != 0x80) ++characters;
    longest = std::max(longest, characters);
  }
  return longest;
}

TEST(TerminalRoofline, IsDrawnAsExpected) {
  EXPECT_EQ(terminal_roofline(host_chart(), "omp", {}), R"(Roofline of a processor of two cores: omp
 FLOP/s
  200 G+
       |                                                 FP64, FMA 110 GFLOP/s
  100 G+                 --------------------------------------*~11-----------
       |                                   //                *~12
       |              . . . . . . . . . .///. . . . . . . no FMA 56.0 GFLOP/s
   50 G+                               ///                          *~8
       |                             ///                            *~9
       |                           ///
   20 G+                         ///
       |                        //                                     *~2-6
   10 G+                      ///                                 ~7*  *~1
       |                    ///
    5 G+                  ///
       |                ///
       |              ///
    2 G+              /
       ++-------------+-------------+------------+-------------+-------------+
      0.01           0.1            1           10            100         1000
        FLOP per byte moved at each level
        * DRAM 21.0 GB/s   ~: analytic, not counted
)");
}

/// A processor with roofs for scalars and for each width of vector.
RooflineChart chart_with_widths() {
  Ceilings roofs = roofline::test::processor();
  const auto add = [&](const char* name, const char* label, double rate) {
    roofs.list.push_back({name, label, CeilingKind::compute, rate, {}, 0, "", {}});
  };
  add("fp64_256_fma", "FP64 256-bit, FMA", 55e9);
  add("fp64_128_fma", "FP64 128-bit, FMA", 27.5e9);
  add("fp64_scalar_fma", "FP64 scalar, FMA", 13.7e9);
  add("fp64_scalar_no_fma", "FP64 scalar, no FMA", 6.9e9);
  add("fp64_div_scalar", "FP64 scalar, division", 1.3e9);
  return make_chart(roofs, roofline::test::analytic_ladder()).value();
}

TEST(TerminalRoofline, NamesScalarsAndWidthsOnTheirLines) {
  const std::string text = terminal_roofline(chart_with_widths(), "omp", {});
  EXPECT_TRUE(
      contains_all(text, {". scalar, FMA 13.7 GFLOP/s *~2-6", ". 128-bit, FMA 27.5 GFLOP/s *~9",
                          ". 256-bit, FMA 55.0 GFLOP/s\n", ". scalar, no FMA 6.90 GFLOP/s\n"}));
  EXPECT_FALSE(contains(text, " no FMA 56.0")) << "in the row of 256-bit, FMA\n" << text;
  EXPECT_FALSE(contains(text, "division")) << "no floating-point roof\n" << text;
  EXPECT_LE(longest_line(text), 78u);
}

TEST(TerminalRoofline, FitsANarrowTerminalWithoutTrailingBlanks) {
  for (const bool unicode : {true, false})
    for (const RooflineChart& chart : {gpu_chart(), host_chart()}) {
      const std::string text = terminal_roofline(chart, "what ran", {false, unicode});
      EXPECT_LE(longest_line(text), 78u) << text;
      EXPECT_FALSE(contains(text, " \n"));
      EXPECT_FALSE(contains(text, "\033"));
    }
}

TEST(TerminalRoofline, NamesEveryLevelAndItsRoof) {
  const std::string text = terminal_roofline(gpu_chart(), "cuda", {false, true});
  EXPECT_TRUE(contains_all(text, {"● L1 32.0 TB/s   ■ L2 7.40 TB/s   ◆ HBM 4.10 TB/s",
                                  "FP64, FMA 33.1 TFLOP/s", "■7,8", "1-3●"}));
}

TEST(TerminalRoofline, AnalyticPointsAreHollow) {
  const std::string text = terminal_roofline(host_chart(), "omp", {false, true});
  EXPECT_TRUE(contains(text, "◇12"));
  EXPECT_FALSE(contains(text, "◆"));
  EXPECT_TRUE(contains(text, "hollow: analytic"));
  const std::string counted = terminal_roofline(gpu_chart(), "cuda", {false, true});
  EXPECT_FALSE(contains(counted, "◇") || contains(counted, "hollow")) << counted;
}

TEST(TerminalRoofline, IsPureAsciiWithoutUnicode) {
  for (const char c : terminal_roofline(gpu_chart(), "cuda", {false, false}))
    EXPECT_LT(static_cast<unsigned char>(c), 128);
}

TEST(TerminalRoofline, HasColoursWhereWanted) {
  EXPECT_TRUE(contains(terminal_roofline(gpu_chart(), "cuda", {true, true}), "\033[36m◆"));
}

TEST(TerminalRoofline, SaysWhatIsNotDrawn) {
  RooflineChart chart = gpu_chart();
  chart.notes = {"v13 is not drawn: it lies above the FP64 peak"};
  EXPECT_TRUE(contains(terminal_roofline(chart, "cuda", {}), "\nv13 is not drawn: "));
}

TEST(TerminalRooflines, SayWhyAPointCannotBeDrawn) {
  const Metrics metrics = {{"fp64_flop", 1e9}, {"dram_bytes", 1e9}};
  const Ceilings roofs = roofline::test::processor();
  const auto drawn = [&](double seconds) {
    return terminal_rooflines(roofs, roofline_points(metrics, seconds, CountedBy::analytic, roofs),
                              "work");
  };
  EXPECT_TRUE(contains(drawn(0.1), "Roofline of a processor of two cores: work, FP64"));
  const std::string text = drawn(1e-3);
  EXPECT_TRUE(contains(text, "work in fp64 cannot be drawn: the arithmetic needs 0.00909 s"));
}

}  // namespace
}  // namespace roofline::test
