// Tests of gpp explain as a process and as text: variants, the kernel's page, and words.
#include <nlohmann/json.hpp>

#include "gpp/study/kernel.h"
#include "harness/program/selection.h"
#include "harness/program/source_diff.h"
#include "harness/teach/explanation.h"
#include "roofline/base/text.h"
#include "tests/cli/command_line.h"

namespace gpp::test {
namespace {

Finished explain(const Texts& arguments) { return run_gpp({"explain"}, arguments); }

TEST(Explain, TellsEverythingAboutAStep) {
  const Finished done = succeeded(explain({"v7", "--model", "cuda"}));
  EXPECT_TRUE(contains_in_order(
      done.output,
      {"v7, reciprocal (cuda)\n", "\nIdea\n", "\nWhat changes\n",
       "--- variants/cuda/v06_simplify.cu\n+++ variants/cuda/v07_reciprocal.cu\n@@ -",
       "\n-#include \"gpp/forms/simplified.h\"\n+#include \"gpp/forms/reciprocal.h\"\n",
       "--- gpp/forms/simplified.h\n", "\nPredict\n", "\nOn a V100\n", "0.66 s", "SC19 v7",
       "wait 47%", "\nOn an H100\n", "\nNext\n"}));
  for (const char* absent : {"<!--", "\033", "\nOn a host", "](", "**"})
    EXPECT_FALSE(contains(done.output, absent));
  const std::string host = explain({"v1", "--model", "serial"}).output;
  EXPECT_TRUE(
      contains_in_order(host, {"\nOn a host\n", "\nTo run it: gpp run v1 --model serial\n"}));
  for (const char* other : {"\nOn a V100", "\nOn an H100", "SC19 v"})
    EXPECT_FALSE(contains(host, other)) << "a host's reader has no GPU";
  const std::string other = run_example("transpose", {"explain", "v2", "--model", "cuda"}).output;
  EXPECT_TRUE(contains_in_order(other, {"\nOn a V100\n", "\nOn an H200\n"}));
}

TEST(Explain, TakesEveryStepOfEveryModel) {
  for (const Variant& variant : catalog()) {
    const std::string text = explanation_of(gpp_kernel(), variant, {60, false});
    EXPECT_TRUE(
        contains(text, choose(variant).build == nullptr ? "It does not run here: " : "To run it: "))
        << variant.source;
    if (variant.source.ends_with(".md")) {
      EXPECT_TRUE(contains(text, "has no such step"));
    } else if (predecessor(catalog(), variant) != nullptr) {
      EXPECT_TRUE(contains(text, "+++ " + variant.source));
    }
  }
}

// ---------------------------------------------------------------- what is no variant

TEST(Explain, PrintsPagesAndWords) {
  const Finished done = succeeded(explain({"kernel"}));
  EXPECT_TRUE(contains_all(
      done.output,
      {"# The kernel in ten minutes\n", "| wtilde_array | (ig, igp) complex |",
       "| none | matrix elements: the share", "images/pole.svg)", "\nfor n1 in bands:"}));
  EXPECT_FALSE(contains(done.output, "<!--"));
  refused(run_example("stream", {"explain", "kernel"}), {"there is no page on the kernel stream"});
  for (const Finished& primer :
       {explain({"roofline"}), run_example("stream", {"explain", "roofline"})})
    EXPECT_TRUE(contains_all(primer.output, {"# The roofline in ten minutes\n",
                                             "unattainable bandwidth", "33.3 TFLOP/s"}));
  const Finished word = succeeded(explain({"occupancy"}));
  EXPECT_TRUE(word.output.starts_with("occupancy\n\nThe warps resident")) << word.output;
  EXPECT_EQ(explain({"SM"}).output, explain({"multiprocessor"}).output);
  EXPECT_TRUE(explain({"roof"}).output.starts_with("roof, roofline\n"));
  // The name of a step has priority.
  EXPECT_TRUE(contains(explain({"reciprocal"}).output, "v7"));
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
  for (const char* outcome : {"(95%)", "You said", "Held back by ", "\nOn a", "+++ "})
    EXPECT_FALSE(contains(text, outcome)) << outcome;
}

TEST_F(Learn, TellsNothingWithoutAnAnswer) {
  const std::string at = "--from v2";
  for (const roofline::Finished& done :
       {typed("", at), typed("fast\\nluck", at), typed("q\\n", at), run("", at, " <&-")}) {
    EXPECT_EQ(done.status, 0) << done.errors;
    EXPECT_TRUE(contains_in_order(
        done.output, {"Step 2 of ", "\nIdea\n", "\nPredict\n", "How many times as fast as v1",
                      "Nothing of v2 is told", "gpp learn --model omp --from v2 goes on"}))
        << done.output;
    expect_nothing_told(done.output);
  }
  const std::string text = typed("fa\033[2Jst\\n", at).output;
  EXPECT_TRUE(contains(text, "st' is not a number such as 1.8"));
  EXPECT_FALSE(contains(text, "\033")) << "what was typed does not act on the terminal";
}

TEST_F(Learn, RunsAndTells) {
  const roofline::Finished done = succeeded(typed("\\n\\nq\\n"));
  const std::size_t second = done.output.find("Step 2 of ");
  ASSERT_NE(second, std::string::npos) << done.output;
  EXPECT_TRUE(
      contains_in_order(on_one_line(done.output.substr(0, second)),
                        {"v1 takes ", "gpp explain v1 --model omp", "Enter goes on with v2"}));
  const std::string next = on_one_line(done.output.substr(second));
  EXPECT_TRUE(contains_in_order(
      next, {"How many times as fast as v1 is v2 here?", "Nothing of v2 is told"}));
  expect_nothing_told(next);
}

TEST_F(Learn, BeginsWhereItIsTold) {
  const std::string text = on_one_line(succeeded(typed("1.5x\\n", "--from iw_outside")).output);
  EXPECT_TRUE(contains_in_order(
      text, {"Step 4 of ", "You said 1.50x.", "gpp learn --model omp --from v5 goes on"}))
      << text;
  EXPECT_TRUE(contains_in_order(
      on_one_line(succeeded(typed("1x\\n", "--from between_9a_shape")).output),
      {"as fast as v8 is between_9a_shape here?", "You said 1.00x", "That was the last step."}));
  EXPECT_TRUE(contains(typed("", "--from v99").errors, "no step 'v99' with a lesson runs here"));
}

TEST_F(Learn, ScriptsPredictWithRun) {
  const std::vector<std::string> run = {"run",  "v7",       "--model", "omp",       "--preset",
                                        "tiny", "--repeat", "5",       "--predict", "1.3"};
  const std::string text = on_one_line(succeeded(gpp(run)).output);
  EXPECT_TRUE(contains_in_order(text, {"v7 takes ", " over v6, between ", "You said 1.30x."}))
      << text;
  std::vector<std::string> script = run;
  script.emplace_back("--json");
  const auto told = nlohmann::json::parse(succeeded(gpp(script)).output)["against"];
  EXPECT_EQ(told["over"], "v6");
  EXPECT_EQ(told["predicted"], 1.3);
  EXPECT_GT(told["speedup"].get<double>(), 0);
}

}  // namespace
}  // namespace gpp::test
