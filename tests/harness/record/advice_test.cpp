// Advice of a recorded variant: its line, and the step that acts on it.
#include "harness/record/advice.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "harness/record/guide.h"
#include "harness/view/advice.h"
#include "harness/view/lines.h"
#include "tests/harness/kept_text.h"
#include "tests/harness/sample_lines.h"
#include "tests/harness/sample_study.h"

namespace gpp {
namespace {

/// cuda v8, far from its roofs, waiting for memory.
StudyRecord study_of_v8() {
  StudyRecord study = test::roofline_study();
  std::erase_if(study.results, [](const Result& result) {
    return result.model != "cuda" || result.variant != "v8";
  });
  Result& v8 = study.results.front();
  v8.counted.metrics = {{"fp64_pipe", 41.0}, {"stall_long_scoreboard", 5.6}, {"stall_wait", 3.3}};
  v8.rooflines.front().percent_of_roof = 26;
  return study;
}

TEST(ResultAdvice, LeadsToTheStepThatActsOnTheCause) {
  StudyRecord study = study_of_v8();
  Result& v8 = study.results.front();
  const auto advice = advice_on(study, v8);
  ASSERT_TRUE(advice);
  EXPECT_EQ(advice->first.cause.name, "long_scoreboard");
  ASSERT_NE(advice->first.step, nullptr);
  EXPECT_EQ(advice->first.step->id, "v9");
  EXPECT_FALSE(advice->first.line) << "no lines are recorded";
  v8.variant = v8.step = "my_idea";
  v8.parent = "v9";
  EXPECT_EQ(advice_on(study, v8)->first.step->id, "v10") << "of the ladder behind its parent";
  v8.model = "omp";
  EXPECT_EQ(advice_on(study, v8)->first.step, nullptr) << "OpenMP has no v10";
  v8.parent = "v12";
  EXPECT_EQ(advice_on(study, v8)->first.step, nullptr);
}

TEST(ResultAdvice, SaysNothingOfWhatWasNotTimedOrNotCounted) {
  StudyRecord study = study_of_v8();
  Result result = study.results.front();
  result.status = Status::failed;
  EXPECT_FALSE(advice_on(study, result));
  result = study.results.front();
  result.rooflines.clear();
  EXPECT_TRUE(advice_on(study, result)) << "stalls tell without operations";
  result.counted.metrics.clear();
  EXPECT_FALSE(advice_on(study, result));
}

TEST(ResultAdvice, CountsLaunchesAgainstTheirCost) {
  StudyRecord study = study_of_v8();
  Result& v8 = study.results.front();
  const double median = v8.timing().median;
  v8.launches = {{"a", 1, 1, 1, 0, 0, 1}, {"b", 1, 1, 1, 0, 0, 1}};
  for (roofline::Ceilings& ceilings : study.ceilings)
    if (ceilings.kind == "gpu") ceilings.launch = roofline::LaunchCost{0.26 * median, 0, 1, ""};
  EXPECT_EQ(advice_on(study, v8)->first.cause.name, "launch");
}

TEST(ResultAdvice, NamesTheLineOnWhichTheCauseShows) {
  StudyRecord study = study_of_v8();
  study.results.front().lines = test::sample_lines();
  const auto line = advice_on(study, study.results.front())->first.line;
  ASSERT_TRUE(line);
  EXPECT_EQ(line->place.line, 2);
  EXPECT_EQ(line->share, 1) << "all long_scoreboard samples stand at the load";
  EXPECT_EQ(line->source, "const Complex m = conj(a) * problem.aqsntemp(ig, n1);");
  ASSERT_TRUE(line->within);
  EXPECT_EQ(line->within->file, "gpp/array.h");
}

TEST(HottestLine, AsksForWhatTheCauseIs) {
  const LinesRecord lines = test::sample_lines();
  using enum roofline::Binding;
  const auto at = [&lines](roofline::Binding binding, const char* cause) {
    return hottest_line(lines, {binding, cause, ""});
  };
  EXPECT_EQ(at(latency, "wait")->place.line, 3);
  EXPECT_DOUBLE_EQ(at(latency, "wait")->share, 190.0 / 250);
  EXPECT_EQ(at(latency, "branch_resolving")->place.file, "") << "code without a line";
  EXPECT_TRUE(at(latency, "no_instruction")) << "sampling says no_instructions";
  EXPECT_EQ(at(wall, "global_scattered")->place.line, 2);
  EXPECT_EQ(at(roof, "compute")->place.line, 2) << "the most samples of all";
  EXPECT_EQ(at(roof, "dram")->place.line, 2);
  EXPECT_FALSE(at(latency, "membar")) << "nothing waited for it";
  EXPECT_FALSE(at(wall, "shared_one_bank"));
  EXPECT_FALSE(at(launch, "launch")) << "no line launches";
}

/// Its texts and JSON, and those of lines beside published ones.
TEST(AdviceText, IsTheOneThatIsKept) {
  StudyRecord study = study_of_v8();
  const Kernel& kernel = *kernels().front();
  const LinesRecord lines = test::sample_lines();
  study.results.front().lines = lines;
  const LinkedAdvice advice = advice_on(study, study.results.front()).value();
  LinesRecord unknown = lines, counted = lines;
  unknown.sources.clear();
  counted.period = 0;
  const std::string beside = lines_beside(kernel, {{"v7", nullptr}, {"v8", &lines}});
  EXPECT_LE(test::longest_line(beside), 110U);
  test::expect_kept("harness/record/advice.txt",
                    advice_text(advice, 1000) + advice_tables(study, 100) +
                        to_json(advice).dump(1) + "\n\n==== lines beside published ones\n" +
                        beside + lines_beside(kernel, {{"v4", &lines}}) +
                        lines_beside_json(kernel, {{"v8", &lines}}).dump(1) +
                        "\n\n==== where none is known\n" +
                        lines_beside(kernel, {{"v8", &unknown}}) + "\n==== the hottest two\n" +
                        hottest_in_brief(lines, 2) + hottest_in_brief_json(lines, 9).dump(1) +
                        "\n" + hottest_in_brief(counted, 2));
}

TEST(AdviceText, ShowsNothingOfARecordThatActs) {
  StudyRecord study = study_of_v8();
  Result& v8 = study.results.front();
  v8.counted.metrics = {{"stall_\033[31mred", 5.6}};
  v8.lines = test::sample_lines();
  for (auto& [file, lines] : v8.lines->sources)
    for (std::string& line : lines) line = "\033[31m" + line;
  v8.lines->lines.back().function = "\033[31mdivision";
  const auto advice = advice_on(study, v8);
  for (const std::string& text :
       {advice_text(*advice, 80), advice_tables(study, 100), hottest_in_brief(*v8.lines, 5),
        lines_beside(kernel_of(study), {{"v8", &*v8.lines}})})
    EXPECT_EQ(text.find('\033'), std::string::npos) << text;
}

// ---- Parts that lines play ----------------------------------------------------------------------

const LineRole& role_called(const char* name) {
  for (const LineRole& role : guide_of(*kernels().front()).roles)
    if (role.name == name) return role;
  throw std::logic_error(name);
}

TEST(RoleLines, TakeWhatIsInlinedAtAVariantsLineAndTheOwnOfOthers) {
  const LinesRecord lines = test::sample_lines();
  const auto load = evidence_of(role_called("band_load"), lines);
  ASSERT_TRUE(load);
  EXPECT_EQ(load->samples(), 600U);
  EXPECT_EQ(load->place.line, 2);
  const auto cutoff = evidence_of(role_called("cutoff"), lines);
  ASSERT_TRUE(cutoff);
  EXPECT_EQ(cutoff->samples(), 40U);
  EXPECT_EQ(cutoff->place.file, "gpp/forms/power2.h");
  LinesRecord other = lines;
  other.sources.erase("gpp/forms/power2.h");
  EXPECT_FALSE(evidence_of(role_called("cutoff"), other)) << "its text is not recorded";
}

}  // namespace
}  // namespace gpp
