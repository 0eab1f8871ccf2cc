// Tests of gpp learn and gpp run --predict as processes: no outcome is shown before a prediction.
#include "roofline/base/pattern.h"
#include "tests/cli/command_line.h"

namespace gpp::test {
namespace {

class Learn : public CommandLine {
 protected:
  /// `before` and `after` are redirections or pipes of the shell.
  static roofline::Finished run(const std::string& before, const std::string& options,
                                const std::string& after = "") {
    return roofline::run_program(
        {"sh", "-c",
         before + "'" GPP_BINARY_DIR "/gpp' learn --model omp --preset tiny --time-limit 0.1 " +
             options + after});
  }
  static roofline::Finished typed(const std::string& answers, const std::string& options = "") {
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
  for (const char* bad : {"nan", "0", "1e999", "inf", "fast", ""})
    refuses({"run", "v7", "--predict", bad}, {"--predict"});
  refuses({"run", "v7", "--predict", "2", "--alone"}, {"--predict", "--alone"});
  refuses({"run", "v1", "--model", "serial", "--predict", "2"}, {"no step before v1 runs here"});
}

}  // namespace
}  // namespace gpp::test
