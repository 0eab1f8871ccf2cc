// Tests of trajectories: records, derived values, charts; what one asks for, and counts on fewer
// units.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "harness/command/options.h"
#include "harness/record/derive.h"
#include "harness/record/trajectory.h"
#include "harness/view/trajectory.h"
#include "roofline/base/machine.h"
#include "roofline/base/text.h"
#include "tests/chart_outline.h"
#include "tests/harness/kept_text.h"
#include "tests/harness/sample_study.h"
#include "tests/temporary_folder.h"

namespace gpp::test {
namespace {

using nlohmann::json;

const json& a_trajectory() {
  static const json record = json::parse(to_json(sample_trajectory()).dump());
  return record;
}

/// The error message for a record; "" if it is read.
std::string refusal_of(const json& record) {
  return thrown<roofline::InputError>([&] { parse_trajectory(record.dump(), "a.json"); });
}

TEST(Trajectory, IsReadAsItWasWritten) {
  const TemporaryFolder folder;
  const Trajectory written = sample_trajectory();
  write_trajectory(folder.path(), written);
  const Trajectory read = read_trajectory(folder.path());
  EXPECT_EQ(to_json(read), to_json(written));
  EXPECT_EQ(read.points.size(), 3u);
  ASSERT_NE(read.find(66, "silicon8"), nullptr);
  EXPECT_EQ(read.find(67, "silicon8"), nullptr);
}

TEST(Trajectory, ThatContradictsItselfIsRefused) {
  EXPECT_EQ(refusal_of(a_trajectory()), "");
  std::string told;
  for (const auto& [pointer, value] : std::vector<std::pair<const char*, json>>{
           {"/schema_version", 9},
           {"/kind", "abacus"},
           {"/kind", "host"},
           {"/kernel", "nonsense"},
           {"/kernel", "stream"},
           {"/points/0/units", 133},
           {"/points/0/units", 0},
           {"/points/0/units", 66},
           {"/points/1/size", "other"},
           {"/points/2/study", nullptr},
           {"/points/2/study/results/0/time_s/samples/0", 1e-6},
           {"/points", 3},
           {"/lost", json::array({1})}}) {
    json record = a_trajectory();
    record[json::json_pointer(pointer)] = value;
    told += fmt::format("{} = {}\n  {}\n", pointer, value.dump(), refusal_of(record));
  }
  expect_kept("harness/record/trajectory_refusals.txt", told);
  EXPECT_NE(refusal_of(json::array()), "");
  EXPECT_NE(refusal_of(json()), "");
  EXPECT_THROW(parse_trajectory("{\"schema_version\": 1", "a.json"), roofline::InputError);
  EXPECT_THROW(parse_trajectory("", "a.json"), roofline::InputError);
  EXPECT_THROW(read_trajectory("/nowhere/at/all"), roofline::InputError);
}

/// Two lines on three numbers of units: speed and efficiency, v1's loss of cache on all units, v11
/// without an intensity where it was not counted. Then the effects of constant bytes, of missing
/// roofs, and of a partial trajectory.
TEST(TrajectoryTable, IsTheOneThatIsKept) {
  const std::string before = trajectory_text(sample_trajectory(), false);
  Trajectory last = sample_trajectory(), bare = last, part = last;
  std::erase_if(last.points, [](const TrajectoryPoint& one) { return one.units != 132; });
  for (TrajectoryPoint& point : bare.points) {
    point.study.ceilings.clear();
    for (Result& result : point.study.results) {
      result.rooflines.clear();
      result.instructions.clear();
    }
  }
  part.complete = false;
  part.lost = {"a process \x1b[31mcrashed"};
  const auto change = [&before](const Trajectory& after) {
    return changed_lines(before, trajectory_text(after, false));
  };
  expect_kept("harness/record/trajectory.txt", before + "\n==== on all units alone\n" +
                                                   change(last) + "\n==== without roofs\n" +
                                                   change(bare) + "\n==== a part\n" + change(part));
}

// ---- The chart ----------------------------------------------------------------------------------

/// The chart is at the level that most lines reach, or at the farthest one.
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
  Trajectory trajectory = sample_trajectory();
  for (TrajectoryPoint& point : trajectory.points) {
    std::vector<Result>& results = point.study.results;
    results.resize(1);
    for (int i = 1; i < 14; ++i) {  // all paths end in one place
      results.push_back(results.front());
      results.back().variant += fmt::format("_{}", i);
      for (double& sample : results.back().samples) sample *= 1 + 0.01 * i;
      derive(point.study, results.back());
    }
  }
  const roofline::Chart crowd = trajectory_chart(trajectory).value();
  std::size_t led = 0;
  for (const roofline::ChartLabel& label : crowd.labels) {
    if (!label.led) continue;
    ++led;
    EXPECT_TRUE(std::any_of(crowd.marks.begin(), crowd.marks.end(), [&label](const auto& mark) {
      return mark.at.x == label.at.x && mark.at.y == label.at.y;
    })) << "it begins at a mark";
  }
  EXPECT_GE(led, 3u);
  for (const roofline::ChartLabel& label : trajectory_chart(sample_trajectory())->labels)
    EXPECT_FALSE(label.led) << "with room for all, names stand at their ends";
}

// ---- What a trajectory asks for -----------------------------------------------------------------

TEST(CountsOnFewer, KeepWorkAndWhatEachUnitHasToItself) {
  const roofline::Counted whole = kernels_study().results[0].counted;
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
  const std::vector<std::string> names = shared_traffic_counters();
  for (const char* name : {"dram__bytes.sum", "lts__t_sectors_srcunit_tex.sum"})
    EXPECT_EQ(std::ranges::count(names, name), 1) << name;
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

TEST(CoresFirst, TakesOneThreadOfEachCore) {
  const TemporaryFolder root;
  const auto siblings = [&root](int processor, const char* list) {
    const std::filesystem::path folder =
        root.path() / "sys/devices/system/cpu" / ("cpu" + std::to_string(processor)) / "topology";
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "thread_siblings_list") << list << "\n";
  };
  for (const int processor : {0, 1}) siblings(processor, "0-1");
  for (const int processor : {2, 3}) siblings(processor, "2-3");
  EXPECT_EQ(roofline::cores_first({0, 1, 2, 3}, root.path()), (std::vector{0, 2, 1, 3}));
  EXPECT_EQ(roofline::cores_first({1, 2, 3}, root.path()), (std::vector{1, 2, 3}));
  EXPECT_EQ(roofline::cores_first({7, 8}, root.path()), (std::vector{7, 8})) << "nobody tells";
}

}  // namespace
}  // namespace gpp::test
