// The table and the drawings of a trajectory.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <sstream>

#include "harness/show/trajectory_chart.h"
#include "harness/show/trajectory_text.h"
#include "roofline/base/process.h"
#include "tests/harness/sample_trajectory.h"
#include "tests/temporary_folder.h"

namespace gpp {
namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(TrajectoryText, TellsWhatLimitsOnEachNumber) {
  Trajectory trajectory = test::sample_trajectory();
  trajectory.lost = {"a process \x1b[31mcrashed"};
  const std::string text = trajectory_table(trajectory, false);
  EXPECT_TRUE(contains(text, "cuda v1, silicon8 on 8 to 132 of 132 multiprocessors of NVIDIA H200"))
      << text;
  EXPECT_TRUE(contains(text, "16.50x")) << text;
  EXPECT_TRUE(contains(text, "cache capacity (dram 90%, 2x the bytes of 8)")) << text;
  EXPECT_TRUE(contains(text, "0.50x")) << text;
  EXPECT_TRUE(contains(text, "Missing: a process \\x1b[31mcrashed")) << text;
  EXPECT_FALSE(contains(text, "Partial"));
  trajectory.complete = false;
  EXPECT_TRUE(contains(trajectory_table(trajectory, false), "Partial"));
}

TEST(TrajectoryText, PutsInBracketsWhatNobodyCounted) {
  Trajectory trajectory = test::sample_trajectory();
  for (TrajectoryPoint& point : trajectory.points)
    std::erase_if(point.study.results, [](const Result& one) { return one.variant != "v11"; });
  const std::string text = trajectory_table(trajectory, false);
  EXPECT_EQ(count_of(text, "("), 2u + count_of(text, "latency (") + count_of(text, "compute (") +
                                     count_of(text, "issue ("))
      << text;
}

TEST(TrajectoryText, HasARooflineForEachLine) {
  const std::string text = terminal_trajectories(test::sample_trajectory(), {});
  EXPECT_TRUE(contains(text, "v1 silicon8, markers at DRAM named by multiprocessors")) << text;
  EXPECT_TRUE(contains(text, "v11 silicon8")) << text;
  EXPECT_TRUE(contains(text, "132")) << text;
}

TEST(TrajectoryChart, LeavesOutWhatMovesNothing) {
  const std::vector<roofline::Drawing> drawings = trajectory_drawings(test::sample_trajectory());
  ASSERT_EQ(drawings.size(), 2u);
  EXPECT_EQ(drawings[0].name, "trajectory-l2");
  EXPECT_EQ(drawings[1].name, "trajectory-dram");
  EXPECT_TRUE(contains(drawings[1].script, "v11 moves next to nothing there"));
  EXPECT_EQ(count_of(drawings[1].table, "\npoint,"), 3u) << drawings[1].table;
  EXPECT_EQ(count_of(drawings[0].table, "\npoint,"), 6u) << drawings[0].table;
  EXPECT_EQ(count_of(drawings[0].table, ",not counted,"), 2u) << "v11 on fewer than all";
  EXPECT_EQ(count_of(drawings[1].table, "\nroof,"), 6u) << "three numbers, two parts each";
}

TEST(TrajectoryChart, IsDrawn) {
  const test::TemporaryFolder folder;
  const roofline::WrittenCharts written =
      write_trajectory_charts(folder.path(), test::sample_trajectory());
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "trajectory-dram.gp"));
  if (roofline::run_program({"gnuplot", "--version"}).status == 127)
    GTEST_SKIP() << "gnuplot is not here";
  EXPECT_EQ(written.drawn.size(), 2u) << written.note;
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "trajectory-dram.svg"));
}

/// The rows of an item, split at their commas.
std::vector<std::vector<std::string>> rows_of(const std::string& table, const std::string& item) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(item + ',')) continue;
    std::vector<std::string> cells(1);
    for (const char c : line)
      if (c == ',')
        cells.emplace_back();
      else
        cells.back() += c;
    rows.push_back(cells);
  }
  return rows;
}

TEST(TrajectoryChart, LeadsFromEachEndToANameThatStandsFarOff) {
  roofline::TrajectoryChart chart = trajectory_pictures(test::sample_trajectory()).front().chart;
  roofline::TrajectoryCurve curve = chart.curves.front();
  chart.curves.clear();
  for (int i = 0; i < 14; ++i) {  // all end in one place
    chart.curves.push_back(curve);
    for (roofline::TrajectoryMark& mark : chart.curves.back().marks) mark.rate *= 1 + 0.01 * i;
  }
  const std::string table = roofline::draw_trajectory(chart, "crowd", "").table;
  const auto names = rows_of(table, "name"), leaders = rows_of(table, "leader");
  EXPECT_GE(leaders.size(), 3u) << table;
  std::size_t alone = 0;
  for (const auto& leader : leaders) {
    const auto& marks = chart.curves[std::stoul(leader[1].substr(6)) - 1].marks;
    const double rate = std::stod(leader[5]);
    EXPECT_TRUE(std::abs(rate / marks.front().rate - 1) < 1e-6 ||
                std::abs(rate / marks.back().rate - 1) < 1e-6)
        << "it begins at an end of its own line";
  }
  for (const roofline::Drawing& drawing : trajectory_drawings(test::sample_trajectory()))
    alone += rows_of(drawing.table, "leader").size();
  EXPECT_EQ(alone, 0u) << "with room for all, names stand at their ends";
  EXPECT_EQ(names.size(), 2 * chart.curves.size());
}

TEST(TrajectoryChart, IsNoneWithoutRoofs) {
  Trajectory trajectory = test::sample_trajectory();
  for (TrajectoryPoint& point : trajectory.points) point.study.ceilings.clear();
  EXPECT_TRUE(trajectory_drawings(trajectory).empty());
  EXPECT_EQ(terminal_trajectories(trajectory, {}), "");
}

}  // namespace
}  // namespace gpp
