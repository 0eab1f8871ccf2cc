// gpp lines without a GPU, and gpp trajectory on one and two cores of this host: records shown
// again, refusals.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "harness/record/record.h"
#include "harness/record/record_json.h"
#include "harness/record/trajectory.h"
#include "roofline/base/machine.h"
#include "tests/cli/command_line.h"
#include "tests/harness/sample_study.h"

namespace gpp::test {
namespace {

using nlohmann::json;

class LinesCommand : public CommandLine {
 protected:
  LinesCommand() {
    study.results.at(0).lines = sample_lines();
    study.results.at(0).lines->terms = study.input.terms;
    write_record(folder, study);
  }

  static Finished gpp_lines(const Texts& arguments) { return run_gpp({"lines"}, arguments); }
  std::string recorded() const { return text(folder / "study.json"); }

  StudyRecord study = sample_study();
};

TEST_F(LinesCommand, ShowsARecord) {
  const json record =
      json::parse(succeeded(gpp_lines({"v1", "--from", folder.string(), "--json"})).output);
  EXPECT_EQ(record.at("variant"), "v1");
  const json expected = json::parse(to_json(*study.results[0].lines).dump());
  EXPECT_EQ(record.at("lines"), expected.at("lines"));
  EXPECT_TRUE(record.at("lines").back().at("thread_instructions").is_null())
      << "not counted is not 0";
  const std::string file = (folder / "study.json").string();
  const Texts top = {study.results[0].step, "--model", "omp", "--from", file};
  EXPECT_TRUE(contains_in_order(
      succeeded(gpp_lines(top)).output,
      {"v08_power2.cu:2", "60.0%", "const Complex m = conj(a)", "  array.h:9", "  power2.h:1"}));
  EXPECT_TRUE(contains(succeeded(gpp_lines({"v1", "--all", "--from", file})).output, "// v8"));
}

TEST_F(LinesCommand, SaysWhatARecordLacksAndLeavesIt) {
  refused(gpp_lines({"v7", "--from", folder.string()}), {"gpp lines v7 --into"});
  refused(gpp_lines({"v99", "--from", folder.string()}), {"no result of v99"});
  EXPECT_EQ(gpp_lines({"v1", "--from", (folder / "nothing").string()}).status, 2);
  const std::string before = recorded();
  EXPECT_EQ(gpp_lines({"v99", "--into", folder.string()}).status, 2);
  EXPECT_EQ(gpp_lines({"v1", "--model", "omp", "--into", folder.string()}).status, 2);
  EXPECT_EQ(recorded(), before);
}

TEST_F(LinesCommand, RefusesARecordThatLies) {
  const json whole = json::parse(recorded());
  const auto refuses = [&](const char* place, const json& value, const char* message) {
    json changed = whole;
    changed[json::json_pointer(std::string("/results/0/lines") + place)] = value;
    std::ofstream(folder / "study.json") << changed.dump();
    EXPECT_EQ(refused(gpp_lines({"v1", "--from", folder.string()}), {message}).output, "");
  };
  refuses("/terms", 7, "lines: terms: the input has 1000000000");
  refuses("/scale", 0.5, "scale: 0.5 is out of range");
  refuses("/counted", {"sectors", "sectors"}, "named twice");
  refuses("/sources", {{"a\nb", json::array()}}, "sources: ");
}

TEST_F(LinesCommand, RefusesHostsAndBadUsage) {
  const Finished done = ended(gpp_lines({"v1", "--model", "omp", "--device", "host"}), 1);
  EXPECT_TRUE(contains(done.errors, "on GPUs alone"));
  EXPECT_EQ(done.output, "");
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{},
                                                    {"v4", "--period", "4"},
                                                    {"v4", "--top", "0"},
                                                    {"v4", "--counting-time", "nan"},
                                                    {"v4", "--from", "a", "--into", "b"},
                                                    {"v4", "--from", "a", "--preset", "tiny"},
                                                    {"v99"}})
    EXPECT_EQ(gpp_lines(arguments).status, 2) << (arguments.empty() ? "" : arguments.back());
}

// ---- gpp trajectory -----------------------------------------------------------------------------

namespace fs = std::filesystem;

class TrajectoryCommand : public CommandLine {
 protected:
  static Finished gpp_trajectory(const Texts& arguments) {
    return run_gpp({"trajectory"}, arguments);
  }
  static void refuses(const Texts& arguments, const Texts& words) {
    EXPECT_EQ(refused(gpp_trajectory(arguments), words).output, "");
  }
};

/// One and, where there are two, two cores.
std::string few_cores() { return roofline::available_cores() > 1 ? "1,2" : "1"; }
std::size_t how_many() { return roofline::available_cores() > 1 ? 2 : 1; }

TEST_F(TrajectoryCommand, RunsOnEachNumberOfCores) {
  const Finished done =
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
  const Finished done =
      run_example("stream", {"trajectory", "triad", "--model", "omp", "--device", "host", "--sizes",
                             "small", "--units", "1", "--repeat", "2", "--json", "-o", path("t")});
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

TEST_F(TrajectoryCommand, RefusesWhatItDoesNotKnow) {
  const std::string cores = std::to_string(roofline::available_cores());
  refuses({"v8", "--device", "host", "--sizes", "tiny", "--units", "1,-1"},
          {"--units", "from 1 to " + cores, "cores"});
  refuses({"v8", "--device", "host", "--sizes", "tny"}, {"--sizes", "did you mean 'tiny'?"});
  refuses({"v99", "--device", "host"}, {"unknown variant 'v99'", "v1"});
  refuses({"v8,v8", "--device", "host"}, {"twice"});
  refuses({"v8", "--model", "opm"}, {"unknown model 'opm'", "omp"});
  refuses({"v8", "--device", "abacus"}, {"--device"});
  refuses({"v8", "--time-limit", "soon"}, {"--time-limit"});
  refuses({}, {"variants is required"});
  EXPECT_FALSE(fs::exists(folder / "t"));
}

}  // namespace
}  // namespace gpp::test
