// gpp trajectory as a process: on one and two cores of this host, records shown again, refusals.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cli/own_processes.h"
#include "harness/record/trajectory.h"
#include "roofline/base/machine.h"
#include "tests/finished.h"
#include "tests/harness/sample_study.h"
#include "tests/temporary_folder.h"

namespace gpp::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class TrajectoryCommand : public testing::Test {
 protected:
  roofline::Finished gpp_trajectory(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {GPP_BINARY_DIR "/gpp", "trajectory"});
    return roofline::run_program(arguments);
  }
  void refuses(const std::vector<std::string>& arguments, const std::vector<std::string>& words) {
    EXPECT_EQ(refused(gpp_trajectory(arguments), words).output, "");
  }
  std::string path(const char* name) const { return (folder / name).string(); }

  TemporaryFolder temporary;
  const fs::path folder = temporary.path();
};

/// One and, where there are two, two cores.
std::string few_cores() { return roofline::available_cores() > 1 ? "1,2" : "1"; }
std::size_t how_many() { return roofline::available_cores() > 1 ? 2 : 1; }

TEST_F(TrajectoryCommand, RunsOnEachNumberOfCores) {
  const roofline::Finished done =
      succeeded(gpp_trajectory({"v8,v9", "--model", "omp", "--device", "host", "--sizes",
                                "tiny,small", "--units", few_cores(), "--repeat", "2", "--counters",
                                "source", "--ceilings", "off", "-o", path("t")}));
  const Trajectory trajectory = read_trajectory(folder / "t");
  EXPECT_TRUE(trajectory.complete);
  EXPECT_EQ(trajectory.kind, "host");
  EXPECT_EQ(trajectory.sizes, (std::vector<std::string>{"tiny", "small"}));
  EXPECT_EQ(trajectory.lost, std::vector<std::string>{});
  ASSERT_EQ(trajectory.points.size(), 2 * how_many());
  for (const TrajectoryPoint& point : trajectory.points) {
    EXPECT_EQ(point.study.machine.cores, point.units);
    EXPECT_TRUE(contains(point.study.input.path, point.size));
    ASSERT_EQ(point.study.results.size(), 2u);
    for (const Result& result : point.study.results) {
      EXPECT_EQ(result.status, Status::passed) << result.reason;
      EXPECT_EQ(result.threads, point.units);
      EXPECT_EQ(result.samples.size(), 2u);
    }
  }
  EXPECT_TRUE(contains(done.output, "\nomp v9   small"));
  EXPECT_TRUE(fs::exists(folder / "t" / "trajectory.txt"));

  refuses({"v8", "--device", "host", "--sizes", "tiny", "-o", path("t")},
          {"holds a trajectory already"});
}

TEST_F(TrajectoryCommand, MeasuresRoofsUnderItsRoofs) {
  setenv("XDG_CACHE_HOME", (folder / "cache").c_str(), 1);
  const roofline::Finished done = gpp_trajectory({"triad", "--kernel", "stream", "--model", "omp",
                                                  "--device", "host", "--sizes", "small", "--units",
                                                  "1", "--repeat", "2", "--json", "-o", path("t")});
  unsetenv("XDG_CACHE_HOME");
  ASSERT_EQ(done.status, 0) << done.errors;
  const json study = json::parse(done.output).at("points").at(0).at("study");
  EXPECT_FALSE(study.at("ceilings").at("host").at("list").empty());
  EXPECT_FALSE(study.at("results").at(0).at("rooflines").empty()) << study.at("results").at(0);
  bool drawn = false;  // 12 MB reach the last cache, or DRAM
  for (const auto& entry : fs::directory_iterator(folder / "t"))
    drawn = drawn || entry.path().extension() == ".svg";
  EXPECT_TRUE(drawn);
}

TEST_F(TrajectoryCommand, ShowsARecordAgain) {
  write_trajectory(folder, sample_trajectory());
  const roofline::Finished text = succeeded(gpp_trajectory({"--from", folder.string()}));
  EXPECT_TRUE(contains(text.output, "cache capacity"));
  const roofline::Finished scripts = gpp_trajectory({"--from", folder.string(), "--json"});
  EXPECT_EQ(json::parse(scripts.output), json::parse(to_json(sample_trajectory()).dump()));
  const roofline::Finished drawn =
      succeeded(gpp_trajectory({"--from", folder.string(), "-o", path("drawn")}));
  EXPECT_TRUE(fs::exists(folder / "drawn" / "trajectory.svg"));
  EXPECT_TRUE(fs::exists(folder / "drawn" / "trajectory.json"));
  refuses({"--from", folder.string(), "-o", folder.string()}, {"holds a trajectory already"});
}

TEST_F(TrajectoryCommand, RefusesWhatItDoesNotKnow) {
  const std::string cores = std::to_string(roofline::available_cores());
  refuses({"v8", "--device", "host", "--sizes", "tiny", "--units", "1,-1"},
          {"--units", "from 1 to " + cores, "cores"});
  refuses({"v8", "--device", "host", "--sizes", "tny"}, {"--sizes", "did you mean 'tiny'?"});
  refuses({"v99", "--device", "host"}, {"unknown variant 'v99'", "v1"});
  refuses({"v8,v8", "--device", "host"}, {"twice"});
  refuses({"v8", "--model", "opm"}, {"unknown model 'opm'", "omp"});
  refuses({"v8", "--kernel", "none"}, {"none"});
  refuses({"v8", "--device", "abacus"}, {"--device"});
  refuses({"v8", "--time-limit", "soon"}, {"--time-limit"});
  refuses({}, {"variants are required"});
  refuses({"--from", path("nowhere")}, {"nowhere", "gpp trajectory"});
  std::ofstream(folder / "trajectory.json") << "{}";
  refuses({"--from", folder.string()}, {"trajectory.json", "schema_version"});
  EXPECT_FALSE(fs::exists(folder / "t"));
}

TEST(CoresFirst, TakesOneThreadOfEachCore) {
  const TemporaryFolder root;
  const auto siblings = [&root](int processor, const char* list) {
    const fs::path folder =
        root.path() / "sys/devices/system/cpu" / ("cpu" + std::to_string(processor)) / "topology";
    fs::create_directories(folder);
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
