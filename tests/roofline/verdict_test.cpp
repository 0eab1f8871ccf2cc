// What holds a run back: never a roof that is far away.
#include "roofline/verdict.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace roofline {
namespace {

RooflinePoint point_at(double percent_of_roof, const std::string& nearest) {
  RooflinePoint point;
  point.percent_of_roof = percent_of_roof;
  point.bound_by = nearest;
  return point;
}

const Metrics counted = {{"fp64_pipe", 41.7},
                         {"stall_long_scoreboard", 5.624},
                         {"stall_not_selected", 9},
                         {"stall_selected", 10},
                         {"stall_wait", 3.3}};

TEST(Verdict, AQuarterOfTheRoofIsLatencyWithTheStallThatShowsIt) {
  const Verdict far = verdict(point_at(26.5, "compute"), counted);
  EXPECT_EQ(far.by, "latency");
  EXPECT_EQ(far.evidence, "long_scoreboard 5.62 per issue");
  EXPECT_EQ(far.text(), "latency (long_scoreboard 5.62 per issue)");
  EXPECT_EQ(verdict(point_at(25.3, "l2"), counted).by, "latency");
}

TEST(Verdict, HalfOfARoofIsNear) {
  EXPECT_EQ(verdict(point_at(50, "compute"), counted).text(), "compute");
  EXPECT_EQ(verdict(point_at(93, "l1"), counted).text(), "l1");
  EXPECT_EQ(verdict(point_at(49.9, "l1"), counted).by, "latency");
}

TEST(Verdict, ABusyPipeIsComputeThoughFewOfItsInstructionsAreFused) {
  Metrics busy = counted;
  busy["fp64_pipe"] = 71.8;
  EXPECT_EQ(verdict(point_at(46.7, "compute"), busy).text(), "compute (FP64 pipe 72%)");
  EXPECT_EQ(verdict(point_at(46.7, "dram"), busy).by, "latency") << "which is not that roof";
}

TEST(Verdict, WithoutStallsOnlyWhatIsKnownIsSaid) {
  EXPECT_EQ(verdict(point_at(25.1, "compute"), {}).text(), "no roof near (25% of compute)");
  EXPECT_EQ(verdict(point_at(80, "dram"), {}).text(), "dram");
}

TEST(Verdict, AHostsLossIsNamedByItsCause) {
  const RooflinePoint far = point_at(12, "compute");
  EXPECT_EQ(verdict(far, {{"scalar_fraction", 0.94}}).text(),
            "scalar code (94% of the instructions work on one number)");
  EXPECT_EQ(verdict(far, {{"scalar_fraction", 0.94}, {"division_time", 0.61}}).text(),
            "division (61% of the time at least)")
      << "the units that divide are what the run needed";
  EXPECT_EQ(verdict(far, {{"scalar_fraction", 0.02}, {"division_time", 0.3}}).text(),
            "latency (12% of compute)");
  EXPECT_EQ(verdict(point_at(50, "compute"), {{"scalar_fraction", 1}}).by, "compute")
      << "a roof that is near comes first";
}

TEST(Verdict, SaysNothingButItsWords) {
  for (const char* device : {"host", "gpu"}) {
    const std::vector<std::string> words = verdict_words(device);
    const auto known = [&words](const std::string& by) {
      return std::find(words.begin(), words.end(), by) != words.end();
    };
    for (const char* roof : {"compute", "l1", "l2", "dram"}) {
      EXPECT_TRUE(known(verdict(point_at(80, roof), {}).by)) << device << " " << roof;
      EXPECT_TRUE(known(verdict(point_at(20, roof), {}).by)) << device << " " << roof;
    }
    EXPECT_TRUE(known("latency"));
    EXPECT_EQ(known("scalar code"), std::string(device) == "host")
        << "a GPU's threads are its lanes";
  }
}

TEST(Verdict, WarpsThatIssueOrCouldHaveDoNotWait) {
  const auto top = top_stall(counted);
  ASSERT_TRUE(top.has_value());
  EXPECT_EQ(top->name, "long_scoreboard");
  EXPECT_EQ(top->warps_per_issue, 5.624);
  EXPECT_FALSE(top_stall({{"fp64_pipe", 40.0}, {"stall_wait", 0.0}}).has_value());
}

}  // namespace
}  // namespace roofline
