// Tests of gpp explain as a process and as text: variants, the kernel's page, and words.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gpp/study/kernel.h"
#include "harness/program/selection.h"
#include "harness/teach/explanation.h"
#include "roofline/base/pattern.h"
#include "tests/cli/command_line.h"
#include "tests/harness/sample_study.h"

namespace gpp::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class Explain : public CommandLine {
 protected:
  Finished explain(const Texts& arguments) const {
    return run_gpp({"explain", "--results", folder.string()}, arguments);
  }
  /// Records OpenMP's v6 and v7; returns the folder.
  std::string study() const {
    const std::string made = (folder / "a/study").string();
    succeeded(run_gpp({"study", "--preset", "tiny", "--model", "omp", "--only", "v6,v7", "--repeat",
                       "1", "--ceilings", "off", "-o", made}));
    return made;
  }
};

TEST_F(Explain, TellsEverythingAboutAStepAndWhoseNumbersItsLessonHas) {
  const Finished done = succeeded(explain({"v7", "--model", "cuda"}));
  EXPECT_TRUE(contains_in_order(
      done.output,
      {"v7, reciprocal (cuda)\n", "\nIdea\n", "\nWhat changes\n",
       "--- variants/cuda/v06_simplify.cu\n+++ variants/cuda/v07_reciprocal.cu\n@@ -",
       "\n-#include \"gpp/forms/simplified.h\"\n+#include \"gpp/forms/reciprocal.h\"\n",
       "--- gpp/forms/simplified.h\n", "\nPredict\n", "\nOn this machine\n",
       "gpp study --model cuda --only v6,v7", "\nOn a V100 (SC19)\n", "0.66 s",
       "\nOn an H100 (results/h100/gpp214)\n", "\nWhat to try next\n"}));
  for (const char* absent : {"<!--", "\033", "\nOn a host"})
    EXPECT_FALSE(contains(done.output, absent));
  const std::string host = explain({"v1", "--model", "serial"}).output;
  EXPECT_TRUE(contains(host, "\nOn a host (results/xeon-2-cores)\n"));
  for (const char* other : {"\nOn a V100", "\nOn an H100", "ours v"})
    EXPECT_FALSE(contains(host, other)) << "a host's reader has no GPU";
  const std::string other = run_example("transpose", {"explain", "v2", "--model", "cuda"}).output;
  EXPECT_TRUE(contains_in_order(other, {"\nOn a V100 (Ding and Williams 2019)\n",
                                        "\nOn an H200 (results/h200/transpose)\n"}));
  EXPECT_FALSE(contains(other, "SC19"));
  EXPECT_TRUE(contains(run_example("nbody", {"explain", "v1", "--model", "cuda"}).output,
                       "\nOn an MI250X (Lu and Wolfe 2022)\n"));
}

TEST_F(Explain, TakesEveryStepOfEveryModel) {
  for (const Variant& variant : catalog()) {
    const Explanation all = gpp::explain(gpp_kernel(), variant, folder);
    EXPECT_EQ(all.lesson != nullptr, variant.id != variant.step) << variant.source;
    const Choice choice = choose(variant);
    if (choice.build != nullptr && choice.build->kind == "host") {
      EXPECT_EQ(all.kind, "host");
    }
    const std::string text =
        before_the_answer(all, {60, false}) + after_the_answer(all, {60, false});
    EXPECT_TRUE(contains(text, "On this machine")) << variant.source;
    if (variant.source.ends_with(".md")) {
      EXPECT_TRUE(contains(text, "has no such step"));
    } else if (all.before != nullptr) {
      EXPECT_TRUE(contains(text, "+++ " + variant.source));
    }
  }
}

TEST_F(Explain, TakesNoRecordOfOtherCores) {
  const fs::path record = fs::path(study()) / "study.json";
  json told = json::parse(std::ifstream(record));
  told["machine"]["affinity"] = "";  // an unknown fact
  told["machine"]["online_cores"] = 0;
  std::ofstream(record) << told;
  const auto finds_none = [&] {
    return explain({"v7", "--model", "omp"}).output.find("is recorded yet") != std::string::npos;
  };
  EXPECT_FALSE(finds_none());
  told["machine"]["cores"] = told["machine"]["cores"].get<int>() + 1;
  std::ofstream(record) << told;
  EXPECT_TRUE(finds_none());
}

TEST_F(Explain, ShowsThisMachinesLastStudy) {
  const std::string made = study();
  const Finished done = explain({"v7", "--model", "omp"});
  EXPECT_TRUE(
      contains_in_order(done.output, {"\nOn this machine\n", "preset tiny", made, "v7 takes ",
                                      " over v6, ", "What holds it back is not known"}));
  EXPECT_FALSE(contains(done.output, "Bound by: unknown"));
  // The study contains neither v8 nor v5.
  EXPECT_TRUE(contains(explain({"v8", "--model", "omp"}).output, "--only v7,v8"));
  EXPECT_TRUE(contains(explain({"v6", "--model", "omp"}).output, "--only v5,v6"));
}

TEST_F(Explain, FoldsLongDiffs) {
  const std::string folded = explain({"v12", "--model", "omp"}).output;
  const std::size_t fold = folded.find(" more lines: gpp explain v12 --model omp --diff\n");
  ASSERT_NE(fold, std::string::npos) << folded;
  const std::string whole = explain({"v12", "--model", "omp", "--diff"}).output;
  EXPECT_FALSE(contains(whole, "more lines"));
  EXPECT_FALSE(contains(whole, "\nIdea\n"));
  EXPECT_GT(std::count(whole.begin(), whole.end(), '\n'), 100);
  EXPECT_FALSE(contains(explain({"v7", "--model", "omp"}).output, "more lines"));
}

// ---------------------------------------------------------------- what is no variant

/// Expects these parts, and none of Markdown's signs.
void expect_plain(const std::string& text, const Texts& parts) {
  EXPECT_TRUE(contains_all(text, parts));
  for (const char* sign : {"](", "```", "| ---", "**", "<!--"}) EXPECT_FALSE(contains(text, sign));
}

TEST_F(Explain, PrintsThePageAndWordsBelowTheTextThatUsesThemFirst) {
  const Finished done = succeeded(explain({"kernel"}));
  expect_plain(done.output, {"The kernel in ten minutes\n====", "\nThe arrays\n---", "wtilde_array",
                             "(ig, igp) complex", "[picture ", "docs/images/pole.svg: sch",
                             "\n  for n1 in bands:"});
  EXPECT_LE(longest_line(done.output), 100u) << done.output;
  refused(run_example("stream", {"explain", "kernel"}), {"there is no page on the kernel stream"});
  const std::string text = explain({"v4", "--model", "cuda"}).output;
  const std::size_t idea = text.find("\nIdea\n"), words = text.find("\n  Words\n  frequency: "),
                    changes = text.find("\nWhat changes\n");
  ASSERT_NE(words, std::string::npos) << text;
  EXPECT_LT(idea, words);
  EXPECT_LT(words, changes);
}

/// The primer's list of numbers is not printed.
TEST_F(Explain, RooflinePrintsThePrimer) {
  for (const Finished& done :
       {explain({"roofline"}), run_example("stream", {"explain", "roofline"})})
    expect_plain(done.output, {"The roofline in ten minutes\n====", "\nFive regions\n---",
                               "unattainable bandwidth", "33.3 TFLOP/s", "\n  Words\n"});
}

TEST_F(Explain, TellsWhatWordsMean) {
  const Finished done = succeeded(explain({"occupancy"}));
  EXPECT_TRUE(done.output.starts_with("occupancy\n\nThe warps resident")) << done.output;
  EXPECT_EQ(explain({"SM"}).output, explain({"multiprocessor"}).output);
  EXPECT_TRUE(explain({"roof"}).output.starts_with("roof, roofline\n"));
  // The name of a step has priority.
  EXPECT_TRUE(contains(explain({"reciprocal"}).output, "v7"));
}

/// The explanation of v8 for a user with the given results.
Explanation explained(std::string_view model, const fs::path& results) {
  for (const Variant& variant : catalog())
    if (variant.model == model && variant.id == "v8") {
      Explanation told = gpp::explain(gpp_kernel(), variant, results);
      told.kind = "gpu";
      return told;
    }
  throw std::logic_error("no such step");
}

/// CUDA's v8 as explained with a GPU's study.
Explanation told_of_v8(std::optional<LinesRecord> lines) {
  StudyRecord study = study_of_v8();
  study.results.front().lines = std::move(lines);
  Explanation told = explained("cuda", fs::temp_directory_path() / "none");
  told.last = LastStudy{"results/mine", study, 0, std::nullopt};
  return told;
}

TEST(ExplainEvidence, TellsWhatBindsAndWhere) {
  const Explanation told = told_of_v8(sample_lines());
  const std::string text = after_the_answer(told, {100, false});
  EXPECT_TRUE(contains_in_order(
      text, {"On this machine", "What binds it", "Bound by: latency: data from memory",
             "v9 acts on", "Its hottest lines", "v08_power2.cu:2", "60.0%", "On a V100"}));
  EXPECT_FALSE(contains(text, "not recorded"));
  EXPECT_TRUE(contains(after_the_answer(told_of_v8(std::nullopt), {100, false}),
                       "not recorded; to see them: gpp lines v8 --model cuda\n"));
}

/// A record of an H200 with more lines lies beside the one that lessons quote.
TEST(ExplainEvidence, TheRecordThatTheLessonsQuoteTellsWhatBindsAVariantAndWhere) {
  const fs::path results = fs::path(GPP_SOURCE_DIR) / "results";
  for (const char* model : {"cuda", "omp"}) {
    const Explanation told = explained(model, results);
    EXPECT_EQ(told.elsewhere.value().folder, results / "h100/gpp214");
    const std::string text = after_the_answer(told, {300, false});
    EXPECT_TRUE(
        contains_in_order(text, {"h100/gpp214: v8 of the model ", "What binds it",
                                 "Bound by: roof: DRAM", "Its hottest lines", "v08_power2.c"}));
  }
}

TEST(ExplainEvidence, ARecordThatIsBrokenOrNotCompleteTellsNothing) {
  const TemporaryFolder results;
  const fs::path folder = results / "h100/gpp214";
  fs::create_directories(folder);
  fs::copy(fs::path(GPP_SOURCE_DIR) / "results/h100/gpp214/study.json", folder);
  const auto is_told = [&results] {
    return explained("cuda", results.path()).elsewhere.has_value();
  };
  EXPECT_TRUE(is_told());
  StudyRecord study = read_record(folder);
  study.complete = false;
  write_record(folder, study);
  EXPECT_FALSE(is_told());
  std::ofstream(folder / "study.json") << "{\"schema\"";
  EXPECT_FALSE(is_told());
}

TEST(ExplainEvidence, AHostHasAdviceAndNoSuchLines) {
  Explanation told = told_of_v8(std::nullopt);
  Result& result = told.last->study.results.front();
  result.kind = "host";
  result.counted.metrics = {{"scalar_fraction", 0.9}};
  const std::string text = after_the_answer(told, {100, false});
  EXPECT_TRUE(contains(text, "Bound by: code: scalar code"));
  EXPECT_FALSE(contains(text, "not recorded;"));
}

// ---- gpp learn and gpp run --predict: no outcome is shown before a prediction -------------------

class Learn : public CommandLine {
 protected:
  static Finished run(const std::string& before, const std::string& options,
                      const std::string& after = "") {
    return shell(before, "learn --model omp --preset tiny --time-limit 0.1 " + options, after);
  }
  static Finished typed(const std::string& answers, const std::string& options = "") {
    return run("printf '" + answers + "' | ", options);
  }
};

/// Undoes line breaks.
std::string on_one_line(const std::string& text) {
  return roofline::Pattern("\\s+").replaced(text, " ");
}

/// Expects none of the words that mark an outcome.
void expect_nothing_told(const std::string& text) {
  for (const char* outcome : {"(95%)", "You said", "Held back by ", "On this machine", "+++ "})
    EXPECT_FALSE(contains(text, outcome)) << outcome;
}

TEST_F(Learn, TellsNothingWithoutAnAnswer) {
  for (const roofline::Finished& done :
       {typed(""), typed("fast\\nluck"), typed("q\\n"), run("", "", " <&-")}) {
    EXPECT_EQ(done.status, 0) << done.errors;
    EXPECT_TRUE(contains_in_order(
        done.output, {"Step 1 of ", "\nIdea\n", "\nPredict\n", "What holds v1 back here?",
                      "Nothing of v1 is told", "gpp learn --model omp --from v1 goes on"}))
        << done.output;
    expect_nothing_told(done.output);
  }
  const std::string text = typed("fa\033[2Jst\\n").output;
  EXPECT_TRUE(contains(text, "st' is not one of: compute, "));
  EXPECT_FALSE(contains(text, "\033")) << "what was typed does not act on the terminal";
}

TEST_F(Learn, RunsAndTells) {
  const roofline::Finished done = succeeded(typed("?\\n\\n2x\\n"));
  const std::size_t second = done.output.find("Step 2 of ");
  ASSERT_NE(second, std::string::npos) << done.output;
  EXPECT_TRUE(
      contains_in_order(on_one_line(done.output.substr(0, second)),
                        {"v1 takes ", "gpp explain v1 --model omp", "Enter goes on with v2"}));
  const std::string next = on_one_line(done.output.substr(second));
  EXPECT_TRUE(contains_in_order(next, {"How many times as fast as v1 is v2 here?",
                                       "What holds v2 back here?", "Nothing of v2 is told"}));
  expect_nothing_told(next);
}

TEST_F(Learn, BeginsWhereItIsTold) {
  const std::string text =
      on_one_line(succeeded(typed("1.5x\\nCompute\\n", "--from iw_outside")).output);
  EXPECT_TRUE(contains_in_order(text, {"Step 4 of ", "You said 1.50x.", "You said compute.",
                                       "gpp learn --model omp --from v5 goes on"}))
      << text;
  EXPECT_TRUE(contains_in_order(
      on_one_line(succeeded(typed("1x\\n?\\n", "--from between_9a_shape")).output),
      {"as fast as v8 is between_9a_shape here?", "You said 1.00x", "That was the last step."}));
  EXPECT_TRUE(contains(typed("", "--from v99").errors, "--from: unknown step of this path 'v99'"));
}

TEST_F(Learn, ScriptsPredictWithRun) {
  const std::vector<std::string> run = {"run",  "v7",       "--model", "omp",       "--preset",
                                        "tiny", "--repeat", "5",       "--predict", "1.3"};
  const std::string text = on_one_line(succeeded(gpp(run)).output);
  EXPECT_TRUE(contains_in_order(text, {"v7 takes ", "and v6 ", "You said 1.30x."})) << text;
  std::vector<std::string> script = run;
  script.emplace_back("--json");
  const auto told = nlohmann::json::parse(succeeded(gpp(script)).output)["against"];
  EXPECT_EQ(told["over"], "v6");
  EXPECT_EQ(told["predicted"], 1.3);
  EXPECT_GT(told["speedup"].get<double>(), 0);
}

}  // namespace
}  // namespace gpp::test
