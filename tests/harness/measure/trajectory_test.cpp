// Tests of trajectories, combined from fake processes.
#include "harness/measure/trajectory.h"

#include <nlohmann/json.hpp>

#include "harness/record/record_json.h"
#include "harness/record/trajectory_lines.h"
#include "roofline/base/error.h"
#include "tests/harness/sample_study.h"
#include "tests/text.h"

namespace gpp::test {
namespace {

using roofline::Finished;

TrajectoryPlan plan() {
  TrajectoryPlan made;
  made.kernel = kernels().front();
  made.kind = "gpu";
  made.device = "NVIDIA H200";
  made.all_units = 132;
  made.sizes = {"silicon8"};
  made.units = {8, 66, 132};
  return made;
}

std::string study_line(const char* what, int units, const StudyRecord& study) {
  return Json({{"what", what}, {"units", units}, {"size", "silicon8"}, {"study", to_json(study)}})
             .dump() +
         "\n";
}

std::string bytes_line(int units, const char* variant, const Json& counters,
                       const std::string& reason) {
  return Json({{"what", "bytes"},
               {"units", units},
               {"size", "silicon8"},
               {"variant", variant},
               {"model", "cuda"},
               {"counters", counters},
               {"reason", reason}})
             .dump() +
         "\n";
}

/// Times of the sample, as from a process without CUPTI.
StudyRecord timed_on(int units) {
  StudyRecord study = sample_trajectory().find(units, "silicon8")->study;
  for (Result& result : study.results) {
    result.counted = roofline::stated({{"fp64_flop", 1e9}, {"dram_bytes", 1e6}}, "not asked");
    result.rooflines.clear();
    result.instructions.clear();
    result.kernels.clear();
  }
  return study;
}

std::string timed(const std::vector<int>& units) {
  std::string text;
  for (const int one : units) text += study_line("study", one, timed_on(one));
  return text;
}

StudyRecord counted() { return kernels_study(); }

const StopLevel& level_of(const Trajectory& trajectory, const char* variant, std::size_t stop,
                          const char* level) {
  static std::vector<TrajectoryLine> lines;
  lines = lines_of(trajectory);
  for (const TrajectoryLine& line : lines)
    if (line.variant == variant) return *line.stops.at(stop).find(level);
  throw std::runtime_error("no such line");
}

TEST(MeasuredTrajectory, JoinsTimesAndCounts) {
  std::vector<TrajectoryMode> modes;
  const Trajectory trajectory =
      measure_trajectory(plan(), [&](TrajectoryMode mode, const std::vector<int>& units) {
        modes.push_back(mode);
        if (mode == TrajectoryMode::time) return Finished{0, timed(units), "", false};
        const Json counters = {{"dram__bytes.sum", 5e8}};
        return Finished{0,
                        study_line("counted", 0, counted()) + bytes_line(8, "v1", counters, "") +
                            bytes_line(66, "v1", Json::object(), "they share one"),
                        "", false};
      });
  EXPECT_EQ(modes, (std::vector{TrajectoryMode::time, TrajectoryMode::count}));
  EXPECT_TRUE(trajectory.complete);
  ASSERT_EQ(trajectory.points.size(), 3u);
  EXPECT_TRUE(level_of(trajectory, "v1", 0, "dram").counted);
  EXPECT_TRUE(level_of(trajectory, "v1", 0, "dram").share);
  EXPECT_FALSE(level_of(trajectory, "v1", 1, "dram").counted);
  EXPECT_TRUE(level_of(trajectory, "v1", 2, "dram").counted);
  EXPECT_FALSE(level_of(trajectory, "v11", 0, "dram").counted) << "nobody counted it";
  EXPECT_TRUE(contains(only(trajectory.lost), "they share one"));
  EXPECT_EQ(trajectory.find(132, "silicon8")->study.results[0].counted.counters,
            counted().results[0].counted.counters);
  parse_trajectory(to_json(trajectory).dump(), "it");  // the record must be consistent
  const Trajectory uncounted =
      measure_trajectory(plan(), [&](TrajectoryMode mode, const std::vector<int>& units) {
        if (mode == TrajectoryMode::time) return Finished{0, timed(units), "", false};
        return Finished{1, "", "first\ngpp: no permission to count\n", false};
      });
  EXPECT_FALSE(level_of(uncounted, "v1", 2, "dram").counted);
  EXPECT_TRUE(contains(only(uncounted.lost), "no permission to count"));
}

TEST(MeasuredTrajectory, TriesAloneWhatACrashTook) {
  std::vector<std::vector<int>> asked;
  TrajectoryPlan without = plan();
  without.counts = false;
  const Trajectory trajectory =
      measure_trajectory(without, [&](TrajectoryMode, const std::vector<int>& units) {
        asked.push_back(units);
        if (units.size() > 1) return Finished{128 + 11, timed({8}), "", false};
        return Finished{0, timed(units), "", false};
      });
  EXPECT_EQ(asked, (std::vector<std::vector<int>>{{8, 66, 132}, {66}, {132}}));
  EXPECT_EQ(trajectory.points.size(), 3u);
  EXPECT_TRUE(contains(only(trajectory.lost), "crashed (signal 11)"));
}

/// The trajectory if each process writes `text`, and the number of processes.
std::pair<Trajectory, int> written_by_each(const std::string& text, int status = 0) {
  int processes = 0;
  Trajectory made = measure_trajectory(plan(), [&](TrajectoryMode, const std::vector<int>&) {
    ++processes;
    return Finished{status, text + "\n", "", false};
  });
  return {std::move(made), processes};
}

TEST(MeasuredTrajectory, EndsWhereNothingComesOrItIsInterrupted) {
  const auto [none, once] = written_by_each(
      R"({"what":"failure","units":8,"size":"silicon8","reason":"the driver is too old"})");
  EXPECT_EQ(once, 1);
  EXPECT_TRUE(none.points.empty());
  EXPECT_TRUE(contains(only(none.lost), "silicon8 on 8 multiprocessors: the driver is too old"));
  const auto [part, processes] = written_by_each(timed({8}) + R"({"what":"interrupted"})", 1);
  EXPECT_EQ(processes, 1);
  EXPECT_FALSE(part.complete);
  EXPECT_EQ(part.points.size(), 1u) << "what is there is kept";
}

TEST(MeasuredTrajectory, RefusesWhatNoProcessShouldWrite) {
  for (const char* line : {"nonsense", "{}", "[1]", R"({"what":"study"})",
                           R"({"what":"study","units":8,"size":"other","study":{}})",
                           R"({"what":"study","units":999,"size":"silicon8","study":{}})",
                           R"({"what":"study","units":8,"size":"silicon8","study":{}})",
                           R"({"what":"surprise","units":8,"size":"silicon8"})"}) {
    const Trajectory trajectory = written_by_each(line).first;
    EXPECT_TRUE(trajectory.points.empty()) << line;
    EXPECT_EQ(trajectory.lost.size(), 1u) << line;
  }
}

TEST(MeasuredTrajectory, OnAHostHasAProcessForEachNumber) {
  TrajectoryPlan host = plan();
  host.kind = "host";
  host.all_units = 2;
  host.units = {1, 2};
  std::vector<std::vector<int>> asked;
  const Trajectory trajectory =
      measure_trajectory(host, [&](TrajectoryMode mode, const std::vector<int>& units) {
        EXPECT_EQ(mode, TrajectoryMode::time) << "hosts count in the same process";
        asked.push_back(units);
        return Finished{0, "", "", true};
      });
  EXPECT_EQ(asked, (std::vector<std::vector<int>>{{1}, {2}}));
  EXPECT_EQ(trajectory.lost.size(), 2u) << "both hung";
}

TEST(CountsOnFewer, KeepWorkAndWhatEachUnitHasToItself) {
  const roofline::Counted whole = counted().results[0].counted;
  const roofline::Counted none = counted_on_fewer(whole, {}, "why not");
  const auto same = [&whole](const roofline::Counted& counts, const char* metric) {
    const auto value = roofline::metric_value(counts.metrics, metric);
    return value && *value == whole.metrics.at(metric);
  };
  for (const char* metric :
       {"fp64_flop", "instructions", "fp64_pipe_instructions", "l1_bytes", "shared_bytes"})
    EXPECT_TRUE(same(none, metric)) << metric;
  for (const char* metric : {"dram_bytes", "l2_sm_bytes", "stall_wait", "fp64_pipe", "seconds"})
    EXPECT_FALSE(roofline::metric_value(none.metrics, metric)) << metric;
  bool said = false;
  for (const roofline::Missing& one : none.missing) said = said || one.reason == "why not";
  EXPECT_TRUE(said);
  const roofline::Counted some = counted_on_fewer(whole, {{"dram__bytes.sum", 7e7}}, "");
  EXPECT_EQ(some.metrics.at("dram_bytes"), 7e7);
  EXPECT_TRUE(same(some, "fp64_flop"));
}

TEST(TrafficCounters, AreTheHardwaresOfEveryLevel) {
  const std::vector<std::string> names = traffic_counters();
  const auto has = [&names](const char* name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  EXPECT_TRUE(has("dram__bytes.sum"));
  EXPECT_TRUE(has("lts__t_sectors_srcunit_tex.sum"));
  for (const std::string& name : names) EXPECT_FALSE(roofline::counted_by_software(name)) << name;
}

TEST(TrajectoryUnits, AreWholeNumbersOfWhatIsThere) {
  EXPECT_EQ(trajectory_units({}, "gpu", 132), (std::vector{8, 16, 32, 48, 64, 80, 96, 112, 132}));
  EXPECT_EQ(trajectory_units({}, "gpu", 4), (std::vector{4}));
  EXPECT_EQ(trajectory_units({}, "host", 1), (std::vector{1}));
  EXPECT_EQ(trajectory_units({}, "host", 12), (std::vector{1, 2, 4, 8, 12}));
  EXPECT_EQ(trajectory_units({"132", "8", "8"}, "gpu", 132), (std::vector{8, 132}));
  for (const char* bad : {"0", "-1", "abc", "9999", "", "8x", "1.5", "99999999999999999999", " 8"})
    EXPECT_THROW(trajectory_units({"8", bad}, "gpu", 132), roofline::InputError) << bad;
}

TEST(TrajectorySizes, ArePresetsOrInputs) {
  const Kernel& kernel = *kernels().front();
  const std::vector<TrajectorySize> sizes =
      trajectory_sizes(kernel, {"tiny", "gpp_si2_tiny", "silicon8"}, 7);
  ASSERT_EQ(sizes.size(), 3u);
  EXPECT_EQ(sizes[0].source.preset, "tiny");
  EXPECT_EQ(sizes[0].source.seed, 7u);
  EXPECT_EQ(sizes[1].source.file, "gpp_si2_tiny");
  EXPECT_EQ(sizes[2].source.file, "silicon8");
  EXPECT_EQ(trajectory_sizes(kernel, {}, 1).size(), 1u);
  for (const std::vector<std::string>& bad :
       {std::vector<std::string>{"tny"}, {""}, {"tiny", "tiny"}, {"/nowhere.dat"}})
    EXPECT_THROW(trajectory_sizes(kernel, bad, 1), roofline::InputError) << bad.back();
}

}  // namespace
}  // namespace gpp::test
