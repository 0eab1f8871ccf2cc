// The time plane: where steps stand on it, its boxes of launches, and what is said where there are
// none.
#include "roofline/ceilings/print.h"
#include "roofline/view/device_charts.h"
#include "tests/roofline/sample_chart.h"
#include "tests/text.h"

namespace roofline::test {
namespace {

/// The peak is 33.1 TFLOP/s, DRAM has 4.1 TB/s: the balance is 8.07 FLOP/B.
Step step(double flop, double dram_bytes, double seconds,
          std::optional<std::size_t> launches = std::nullopt) {
  Activity activity;
  activity.flop = flop;
  activity.seconds = seconds;
  activity.traffic = {{"l2", dram_bytes}, {"dram", dram_bytes}};
  return {"v1", roofline_point(activity, large_gpu()).value(), launches};
}

TimePlane plane_of(const std::vector<Step>& steps, double launch = 0) {
  Ceilings gpu = large_gpu();
  if (launch > 0) gpu.launch = {launch, launch, launch, ""};
  return time_plane(make_chart(gpu, steps).value(), "dram").value();
}

TEST(TimePlane, PutsWorkAtItsRoofsAndTheTimeOnItsIntensity) {
  constexpr double peak = 33.1e12, bandwidth = 4.1e12, balance = peak / bandwidth;
  for (const double intensity : {100.0, balance, 0.5}) {
    const double flop = 1e12, bytes = flop / intensity, seconds = 1.5;
    const PlaneStep one = plane_of({step(flop, bytes, seconds)}).steps.at(0);
    EXPECT_NEAR(one.complexity.compute, flop / peak, 1e-12);
    EXPECT_NEAR(one.complexity.bandwidth, bytes / bandwidth, 1e-12);
    const bool by_compute = intensity >= balance;
    EXPECT_NEAR(one.taken.compute, by_compute ? seconds : seconds * intensity / balance, 1e-9);
    EXPECT_NEAR(one.taken.bandwidth, by_compute ? seconds * balance / intensity : seconds, 1e-9);
  }
}

TEST(TimePlane, HasABoxForEachNumberOfLaunches) {
  const std::vector<Step> steps = {step(1e9, 1e7, 1e-4, 4), step(1e9, 1e7, 2e-4, 2),
                                   step(1e9, 1e7, 3e-4, 4)};
  const TimePlane plane = plane_of(steps, 2e-6);
  ASSERT_EQ(plane.boxes.size(), 2u);
  EXPECT_EQ(plane.boxes[0].launches, 2u);
  EXPECT_DOUBLE_EQ(plane.boxes[0].seconds, 4e-6);
  EXPECT_DOUBLE_EQ(plane.boxes[1].seconds, 8e-6);
  EXPECT_LT(plane.seconds.low, 4e-6) << "it is seen";
  EXPECT_TRUE(plane.notes.empty());
}

TEST(TimePlane, DrawsOfManyBoxesTheOutermost) {
  std::vector<Step> steps;
  for (std::size_t launches = 1; launches <= 9; ++launches)
    steps.push_back(step(1e9, 1e7, 1e-4, launches));
  const TimePlane plane = plane_of(steps, 2e-6);
  ASSERT_EQ(plane.boxes.size(), 2u);
  EXPECT_EQ(plane.boxes[0].launches, 1u);
  EXPECT_EQ(plane.boxes[1].launches, 9u);
}

TEST(TimePlane, TakesOneLaunchWhereTheirNumberIsNotKnown) {
  const TimePlane plane = plane_of({step(1e9, 1e7, 1e-4)}, 2e-6);
  EXPECT_EQ(only(plane.boxes).launches, 1u);
  EXPECT_EQ(only(plane.notes), "How often v1 launches is not known: taken as once");
}

TEST(TimePlane, SaysWhyThereIsNoBox) {
  const TimePlane old = plane_of({step(1e9, 1e7, 1e-4, 2)});
  EXPECT_TRUE(old.boxes.empty());
  EXPECT_NE(old.notes.at(0).find("was not measured"), std::string::npos) << old.notes[0];
  const RooflineChart host = host_chart();
  const TimePlane of_host = time_plane(host, "dram").value();
  EXPECT_TRUE(of_host.boxes.empty());
  EXPECT_NE(of_host.notes.at(0).find("on a processor"), std::string::npos) << of_host.notes[0];
}

TEST(TimePlane, TellsOfABoxThatIsFarBelow) {
  const TimePlane plane = plane_of({step(1e15, 1e13, 100, 1)}, 2e-6);
  EXPECT_TRUE(plane.boxes.empty());
  EXPECT_EQ(plane.notes.at(0), "Launching takes far less than is drawn: 2.00 us of a launch");
  EXPECT_GT(plane.seconds.low, 1e-3);
}

TEST(TimePlane, NeedsTheLevel) {
  const RooflineChart chart = make_chart(large_gpu(), {step(1e9, 1e7, 1e-4)}).value();
  EXPECT_EQ(plane_level(chart), "dram");
  EXPECT_TRUE(time_plane(chart, "l2"));
  EXPECT_FALSE(time_plane(chart, "l1")) << "which moved nothing";
  RooflineChart inner = chart;
  inner.levels = {"l1", "l2"};
  EXPECT_EQ(plane_level(inner), "l2") << "the outermost";
}

TEST(TimePlane, HoldsEveryMarkOfItsAxes) {
  const TimePlane plane = time_plane(gpu_chart(), "dram").value();
  ASSERT_EQ(plane.steps.size(), 12u);
  for (const PlaneStep& one : plane.steps)
    for (const PlanePlace& place : {one.complexity, one.taken})
      for (const double seconds : {place.compute, place.bandwidth}) {
        EXPECT_GT(seconds, plane.seconds.low);
        EXPECT_LT(seconds, plane.seconds.high);
      }
}

TEST(Launches, AreToldWithTheirSpread) {
  EXPECT_EQ(describe_launch({2.2e-6, 2.1e-6, 2.4e-6, ""}),
            "2.200 us, half of the runs 2.100 us to 2.400 us");
}

}  // namespace
}  // namespace roofline::test
