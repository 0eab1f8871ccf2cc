// Tests of gpp study --ladder and of the commands that describe ladders (explain, list, report);
// and of the programs of other kernels.
#include <nlohmann/json.hpp>

#include "harness/kernel.h"
#include "harness/record/ladder.h"
#include "harness/record/record.h"
#include "tests/finished.h"
#include "tests/temporary_folder.h"

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
  EXPECT_TRUE(contains_all(succeeded(study("tutorial", folder)).output,
                           {"Ladder tutorial:", "\nIn the model omp\n", "published: about 40%",
                            "512 threads per block", "2.50x"}));
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
  for (const char* of_published : {"holds", "published:", "()", "no gain"})
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
  EXPECT_EQ(rows[2]["reason"], "no gain: v2 has no time");
  EXPECT_TRUE(rows[2]["measured"]["speedup"].is_number());
}

TEST(StudyOfALadder, RefusesWhatIsNone) {
  const auto refuses = [](const Texts& arguments, const std::string& part) {
    refused(run_gpp(arguments), {part});
  };
  refuses({"study", "--ladder", "sc18"}, "unknown ladder 'sc18'; did you mean 'sc19'?");
  refuses({"study", "--ladder", "none"}, "sc19, arxiv, sc20, tutorial, between, tried");
  refuses({"study", "--ladder", ""}, "is empty");
  refuses({"study", "--ladder", "sc19", "--only", "v12"}, "unknown step of the ladder sc19 'v12'");
  refuses({"explain", "sc20", "--diff"}, "only lessons have a --diff");
  refuses({"explain", "tutorail"}, "did you mean 'tutorial'?");
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
  EXPECT_TRUE(contains_all(ours, {"between_9b_block_size", "Nothing of it"}));
  EXPECT_FALSE(contains(ours, "sources.md"));
}

/// v9 is explained by the differences of three ideas and of the last one's form, but its gain is
/// relative to v8.
TEST(ExplainLadder, AStepShowsTheWayToIt) {
  const Finished done = succeeded(run_gpp({"explain", "v9", "--model", "cuda", "--diff"}));
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
    EXPECT_TRUE(contains(record.input.path, "preset " + kernel->quick_preset));
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

}  // namespace
}  // namespace gpp::test
