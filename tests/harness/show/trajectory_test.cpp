// The chart of a trajectory.
#include "harness/view/trajectory_charts.h"
#include "tests/harness/sample_trajectory.h"
#include "tests/text.h"

namespace gpp::test {
namespace {

std::size_t count_of(const roofline::Chart& chart, const std::string& source) {
  std::size_t count = 0;
  for (const roofline::ChartMark& mark : chart.marks) count += mark.source == source ? 1 : 0;
  return count;
}

TEST(TrajectoryChart, LeavesOutWhatMovesNothing) {
  Trajectory trajectory = sample_trajectory();
  for (TrajectoryPoint& point : trajectory.points)  // v11 reaches DRAM no more than L2 now
    for (Result& result : point.study.results)
      if (result.variant == "v11")
        for (roofline::RooflinePoint& place : result.rooflines)
          std::erase_if(place.levels, [](const auto& level) { return level.level == "l2"; });
  const roofline::Chart chart = trajectory_chart(trajectory).value();
  EXPECT_TRUE(contains(chart.x.title, "DRAM")) << "the farthest that a line reaches";
  EXPECT_TRUE(contains(only(chart.notes), "v11 moves next to nothing there"));
  EXPECT_EQ(chart.marks.size(), 3u);
}

TEST(TrajectoryChart, IsAtTheLevelThatMostLinesReach) {
  const roofline::Chart chart = trajectory_chart(sample_trajectory()).value();
  EXPECT_TRUE(contains(chart.x.title, "L2")) << "DRAM is reached by v1 alone";
  EXPECT_EQ(chart.marks.size(), 6u);
  EXPECT_EQ(count_of(chart, "not counted"), 2u) << "v11 on fewer than all";
  std::size_t roofs = 0;
  for (const roofline::ChartLine& line : chart.lines)
    if (line.item == "roof") {
      ++roofs;
      EXPECT_EQ(line.points.size(), 3u) << "up to the ridge and on";
    }
  EXPECT_EQ(roofs, 3u) << "of each number of units";
}

TEST(TrajectoryChart, LeadsFromEachEndToANameThatStandsFarOff) {
  roofline::TrajectoryChart from = trajectory_picture(sample_trajectory()).value().chart;
  const roofline::TrajectoryCurve curve = from.curves.front();
  from.curves.clear();
  for (int i = 0; i < 14; ++i) {  // all end in one place
    from.curves.push_back(curve);
    for (roofline::TrajectoryMark& mark : from.curves.back().marks) mark.rate *= 1 + 0.01 * i;
  }
  const roofline::Chart crowd = roofline::make_trajectory(from, "crowd", "");
  std::size_t led = 0, names = 0;
  for (const roofline::ChartLabel& label : crowd.labels) {
    if (label.outside) continue;
    ++names;
    if (!label.led) continue;
    ++led;
    EXPECT_TRUE(std::any_of(crowd.marks.begin(), crowd.marks.end(), [&label](const auto& mark) {
      return mark.at.x == label.at.x && mark.at.y == label.at.y;
    })) << "it begins at a mark";
  }
  EXPECT_GE(led, 3u);
  EXPECT_EQ(names, 2 * from.curves.size());
  for (const roofline::ChartLabel& label : trajectory_chart(sample_trajectory())->labels)
    EXPECT_FALSE(label.led && !label.outside) << "with room for all, names stand at their ends";
}

TEST(TrajectoryChart, IsNoneWithoutRoofs) {
  Trajectory trajectory = sample_trajectory();
  for (TrajectoryPoint& point : trajectory.points) point.study.ceilings.clear();
  EXPECT_FALSE(trajectory_chart(trajectory));
}

}  // namespace
}  // namespace gpp::test
