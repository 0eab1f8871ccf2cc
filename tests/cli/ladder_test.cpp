// Tests of gpp study --ladder and of the commands that describe ladders (explain, list, report); of
// the programs of other kernels; of gpp lines without a GPU; of gpp trajectory on one and two
// cores.
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "harness/kernel.h"
#include "harness/record/ladder.h"
#include "harness/record/record.h"
#include "harness/record/record_json.h"
#include "harness/record/trajectory.h"
#include "roofline/base/machine.h"
#include "tests/cli/command_line.h"
#include "tests/harness/sample_study.h"

namespace gpp::test {
namespace {

using nlohmann::json;

/// A quick study on the host without roofs.
Finished study(const std::string& ladder, const std::filesystem::path& folder,
               const std::vector<std::string>& more = {}) {
  return run_gpp({"study", "--details", "--ladder", ladder, "--preset", "tiny", "--device", "host",
                  "--repeat", "2", "--ceilings", "off", "--counters", "off", "-o", folder.string()},
                 more);
}

Texts variants_of(const StudyRecord& record) {
  Texts ids;
  for (const Result& result : record.results) ids.push_back(result.variant);
  return ids;
}

TEST(StudyOfALadder, GoesUpStepByStepAndKeepsIt) {
  const TemporaryFolder temporary;
  const auto folder = temporary.path() / "tutorial";
  EXPECT_TRUE(
      contains_all(succeeded(study("tutorial", folder)).output,
                   {"Ladder tutorial:", "\nIn the model omp\n", "512 threads per block", "2.50x"}));
  const StudyRecord record = read_record(folder);
  EXPECT_EQ(record.ladder, "tutorial");
  EXPECT_EQ(variants_of(record), (Texts{"v1", "v2", "tutorial_2_iw_outside",
                                        "tutorial_3_reciprocal", "tutorial_4_block512"}));
  for (const Result& result : record.results) EXPECT_TRUE(result.timed()) << result.reason;
  EXPECT_TRUE(std::filesystem::exists(folder / "published-tutorial.svg"));
  EXPECT_TRUE(contains(file_text(folder / "report.html"), "<section id=\"ladder-0\""));

  const std::filesystem::path again = temporary.path() / "again";
  succeeded(run_gpp({"report", folder.string(), "-o", again.string()}));
  EXPECT_TRUE(contains(file_text(again / "summary.txt"), "Ladder tutorial:"));
  EXPECT_TRUE(std::filesystem::exists(again / "published-tutorial.svg"));
}

/// Each step is compared with the last previous one that the model has.
TEST(StudyOfALadder, TakesIdeasOneByOneWhereNothingIsPublished) {
  const TemporaryFolder temporary;
  const auto folder = temporary.path() / "between";
  const Finished done = succeeded(study("between", folder, {"--model", "omp"}));
  EXPECT_TRUE(contains(done.output, "11b: the model omp has no such step"));
  for (const char* of_published : {"holds:", "published:", "()", "no gain"})
    EXPECT_FALSE(contains(done.output, of_published));
  Texts gained;
  const StudyRecord record = read_record(folder);
  const std::vector<LadderRun> runs = ladder_runs(record);
  for (const LadderRow& row : only(runs).rows)
    if (row.measured.gain) gained.push_back(row.step->label);
  EXPECT_EQ(gained, (Texts{"9a", "9b", "v9", "11a", "11e", "v11"}));
  EXPECT_FALSE(contains(file_text(folder / "report.html"), "Published and measured, step by step"));
}

TEST(StudyOfALadder, LeavesStepsOutThatNobodyWants) {
  const TemporaryFolder temporary;
  const auto folder = temporary.path() / "a";
  const Finished done = succeeded(study("sc19", folder, {"--only", "v1,v3", "--json"}));
  const json rows = json::parse(done.output)["ladder"]["rows"];
  ASSERT_EQ(rows.size(), 9u);
  EXPECT_EQ(rows[1]["reason"], "left out");
  EXPECT_TRUE(rows[1]["measured"]["seconds"].is_null());
  EXPECT_TRUE(rows[2]["measured"]["gain"].is_null()) << "v2 has no time";
  EXPECT_TRUE(rows[2]["measured"]["speedup"].is_number());
}

TEST(ExplainLadder, TellsStepsNumbersAndSource) {
  const Finished done = succeeded(run_gpp({"explain", "sc20"}));
  EXPECT_TRUE(contains_all(
      done.output,
      {"Ladder sc20:", "Del Ben et al. 2020, Yang 2021 (docs/sources.md)", "sc20_5_band_groups",
       "v3: changes v1", "taken for granted here:", "gpp study --ladder sc20"}));
  EXPECT_LE(longest_line(done.output), 100u) << done.output;
  EXPECT_TRUE(contains(run_gpp({"explain", "sc19"}).output, "0.57 s  1.09x  2.86x"));
  const std::string ours = succeeded(run_gpp({"explain", "between"})).output;
  EXPECT_TRUE(contains_all(ours, {"between_9b_block_size", "Nothing of"}));
  EXPECT_FALSE(contains(ours, "sources.md"));
}

/// v9 is explained by the differences of three ideas and of the last one's form, but its gain is
/// relative to v8.
TEST(ExplainLadder, AStepShowsTheWayToIt) {
  const Finished done = succeeded(run_gpp({"explain", "v9", "--model", "cuda"}));
  EXPECT_TRUE(contains_in_order(
      done.output, {"--- variants/cuda/v08_power2.cu\n", "\n--- ",
                    "\n--- variants/cuda/ladders/between_9b_block_size.cu\n", "\n--- gpp/forms/"}));
  EXPECT_TRUE(
      contains_all(succeeded(run_gpp({"explain", "sc20_6_occupancy", "--model", "cuda"})).output,
                   {"by a limit on registers", "sc20_5_band_groups"}));
}

TEST(List, TellsTheLadders) {
  const Finished text = run_gpp({"list"});
  EXPECT_TRUE(contains_all(text.output,
                           {"Ladders, for gpp study --ladder NAME", "  sc20      8 steps: SC20"}));
  const json rows = json::parse(run_gpp({"list", "--json"}).output);
  bool seen = false;
  for (const json& row : rows) {
    if (row["variant"] != "v9" || row["model"] != "cuda") continue;
    seen = true;
    EXPECT_EQ(row["ladders"], json::parse(R"([{"ladder": "sc20", "step": "v7"},
                                                {"ladder": "between", "step": "v9"},
                                                {"ladder": "tried", "step": "v9"}])"));
  }
  EXPECT_TRUE(seen);
  EXPECT_FALSE(contains(run_example("stream", {"list"}).output, "ladders"));
}

// ---- Programs of other kernels ------------------------------------------------------------------

TEST(OtherKernels, AreStudiedByTheirPrograms) {
  const TemporaryFolder temporary;
  for (const Kernel* kernel : kernels()) {
    if (kernel == kernels().front()) continue;
    const char* const name = kernel->name.c_str();
    const auto folder = temporary.path() / name;
    succeeded(
        run_example(name, {"study", "--quick", "--device", "host", "--ceilings", "off",
                           "--counters", "source", "--time-limit", "0.5", "-o", folder.string()}));
    const StudyRecord record = read_record(folder);
    EXPECT_TRUE(record.complete);
    EXPECT_EQ(record.kernel, name);
    EXPECT_TRUE(contains(record.input.path, std::string("preset ") + quick_preset));
    EXPECT_TRUE(std::ranges::any_of(record.results, &Result::timed)) << name;
    EXPECT_TRUE(std::filesystem::exists(folder / "report.html"));
    EXPECT_TRUE(contains(succeeded(run_gpp({"report", folder.string()})).output,
                         kernel->name + " explain "))
        << "its program goes on";
    refused(run_gpp({"compare", folder.string(), folder.string()}),
            {"is not the kernel of gpp", kernel->name + " report"});
  }
  refused(run_example("toys", {"study", "--ladder", "sc19"}), {"--ladder"});
  EXPECT_TRUE(run_example("toys", {"nothing"}).errors.starts_with("toys: "));
}

// ---- gpp lines ----------------------------------------------------------------------------------

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
}

TEST_F(LinesCommand, SaysWhatARecordLacks) {
  for (const char* name : {"v7", "v99"})
    refused(gpp_lines({name, "--from", folder.string()}), {"no lines of ", "gpp study --lines"});
  EXPECT_EQ(gpp_lines({"v1", "--from", (folder / "nothing").string()}).status, 2);
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
  refuses("/counted", {"sectors", "sectors"}, "stands twice");
  refuses("/sources", {{"a\nb", json::array()}}, "sources: ");
}

TEST_F(LinesCommand, RefusesHosts) {
  refused(gpp_lines({"v1", "--model", "omp", "--device", "host"}), {"on GPUs alone"});
}

// ---- gpp trajectory -----------------------------------------------------------------------------

namespace fs = std::filesystem;

using TrajectoryCommand = CommandLine;

/// One and, where there are two, two cores.
std::string few_cores() { return roofline::available_cores() > 1 ? "1,2" : "1"; }
std::size_t how_many() { return roofline::available_cores() > 1 ? 2 : 1; }

TEST_F(TrajectoryCommand, RunsOnEachNumberOfCores) {
  const Finished done =
      succeeded(run_gpp({"trajectory", "v8,v9", "--model", "omp", "--device", "host", "--sizes",
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

  refuses({"trajectory", "v8", "--device", "host", "--sizes", "tiny", "-o", path("t")},
          {"holds a trajectory already"});
}

TEST_F(TrajectoryCommand, MeasuresRoofsUnderItsRoofs) {
  setenv("XDG_CACHE_HOME", (folder / "cache").c_str(), 1);
  const Finished done =
      run_example("stream", {"trajectory", "triad", "--model", "omp", "--device", "host", "--sizes",
                             "small", "--units", "1", "--repeat", "2", "-o", path("t")});
  unsetenv("XDG_CACHE_HOME");
  ASSERT_EQ(done.status, 0) << done.errors;
  const StudyRecord study = read_trajectory(folder / "t").points.at(0).study;
  EXPECT_FALSE(study.ceilings.at(0).list.empty());
  EXPECT_FALSE(study.results.at(0).rooflines.empty());
  bool drawn = false;  // 12 MB reach the last cache, or DRAM
  for (const auto& entry : fs::directory_iterator(folder / "t"))
    drawn = drawn || entry.path().extension() == ".svg";
  EXPECT_TRUE(drawn);
}

}  // namespace
}  // namespace gpp::test
