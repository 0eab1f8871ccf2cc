// What a trajectory asks for, and counts on fewer units.
#include "harness/record/trajectory.h"

#include <filesystem>
#include <fstream>

#include "harness/command/option_values.h"
#include "harness/measure/part.h"
#include "roofline/base/error.h"
#include "tests/harness/sample_study.h"
#include "tests/temporary_folder.h"

namespace gpp::test {
namespace {

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
  EXPECT_EQ(cores_first({0, 1, 2, 3}, root.path()), (std::vector{0, 2, 1, 3}));
  EXPECT_EQ(cores_first({1, 2, 3}, root.path()), (std::vector{1, 2, 3}));
  EXPECT_EQ(cores_first({7, 8}, root.path()), (std::vector{7, 8})) << "nobody tells";
}

}  // namespace
}  // namespace gpp::test
