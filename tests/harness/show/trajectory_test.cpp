// The chart of a trajectory.
#include "harness/view/trajectory_charts.h"
#include "tests/harness/chart_outline.h"
#include "tests/harness/kept_text.h"
#include "tests/harness/sample_study.h"

namespace gpp::test {
namespace {

/// At the level that most lines reach; or at the farthest that one reaches.
TEST(TrajectoryChart, IsTheOneThatIsKept) {
  const std::vector<Change<Trajectory>> changes = {
      {"v11 reaches DRAM no more than L2",
       [](Trajectory& trajectory) {
         for (TrajectoryPoint& point : trajectory.points)
           for (Result& result : point.study.results)
             if (result.variant == "v11")
               for (roofline::RooflinePoint& place : result.rooflines)
                 std::erase_if(place.levels, [](const auto& one) { return one.level == "l2"; });
       }},
      {"without roofs", [](Trajectory& trajectory) {
         for (TrajectoryPoint& point : trajectory.points) point.study.ceilings.clear();
       }}};
  expect_kept("harness/show/trajectory_chart.txt",
              told_with_changes(sample_trajectory(), changes, [](const Trajectory& trajectory) {
                return outline(trajectory_chart(trajectory));
              }));
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

}  // namespace
}  // namespace gpp::test
