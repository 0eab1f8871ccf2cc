// Advice of a recorded variant: its line, and the step that acts on it.
#include "harness/record/advice.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "harness/record/guide.h"
#include "harness/view/advice.h"
#include "harness/view/lines.h"
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

TEST(ResultAdvice, JsonHoldsLineAndStep) {
  StudyRecord study = study_of_v8();
  study.results.front().lines = test::sample_lines();
  const Json json = to_json(*advice_on(study, study.results.front()));
  EXPECT_EQ(json["binds"], "latency");
  EXPECT_EQ(json["step"]["id"], "v9");
  EXPECT_EQ(json["line"]["line"], 2);
  EXPECT_EQ(json["line"]["within"]["file"], "gpp/array.h");
  EXPECT_TRUE(json["also"].is_null());
}

TEST(AdviceText, TellsLineRemedyAndStep) {
  StudyRecord study = study_of_v8();
  study.results.front().lines = test::sample_lines();
  const std::string text = advice_text(*advice_on(study, study.results.front()), 1000);
  EXPECT_NE(text.find("Bound by: latency: data from memory (long_scoreboard, 5.6 warps per issue). "
                      "100% of it stand at variants/cuda/v08_power2.cu:2"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("v9 acts on data from memory, by blocks"), std::string::npos) << text;
  const std::string table = advice_tables(study);
  EXPECT_NE(table.find("data from memory  5.6 warps per issue  -            v9"), std::string::npos)
      << table;
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
       {advice_text(*advice, 80), advice_tables(study), hottest_in_brief(*v8.lines, 5),
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

TEST(LinesBeside, SetsPublishedLinesBesideOurs) {
  const LinesRecord lines = test::sample_lines();
  const std::string text = lines_beside(*kernels().front(), {{"v7", nullptr}, {"v8", &lines}});
  const auto has = [&text](const char* part) { return text.find(part) != std::string::npos; };
  EXPECT_TRUE(has("SC19 v7")) << text;
  EXPECT_TRUE(
      has("SC19 v7, line 313           -  467,330  wait 47%, math_pipe_throttle 20%, selected 14%"))
      << text;
  EXPECT_TRUE(has("45,380  math_pipe_throttle 42%, wait 24%")) << text;
  EXPECT_TRUE(has("long_scoreboard 94%, wait 4%")) << text;
  EXPECT_TRUE(has("of those not issued")) << text;
  EXPECT_TRUE(has("ours v8, power2.h:2")) << text;
  EXPECT_FALSE(has(" 0%")) << "which says nothing";
  for (std::size_t at = 0, end; (end = text.find('\n', at)) != std::string::npos; at = end + 1)
    EXPECT_LE(end - at, 110U) << text.substr(at, end - at);
  EXPECT_TRUE(has(" 4.0%")) << text;
  EXPECT_TRUE(has("60.0%")) << text;
  EXPECT_FALSE(has("ours v7")) << text;
  EXPECT_EQ(lines_beside(*kernels().front(), {{"v4", &lines}}), "");
  const Json json = lines_beside_json(*kernels().front(), {{"v8", &lines}});
  ASSERT_EQ(json.size(), 2U);
  EXPECT_EQ(json[1]["role"], "band_load");
  EXPECT_EQ(json[1]["published"][0]["stalls"]["long_scoreboard"], 852075);
  EXPECT_EQ(json[1]["ours"][0]["samples"], 600);
  EXPECT_DOUBLE_EQ(json[1]["ours"][0]["share"].get<double>(), 0.6);
}

TEST(LinesBeside, SaysWhereNoSampleFellOnSuchALine) {
  LinesRecord lines = test::sample_lines();
  lines.sources.clear();
  const std::string text = lines_beside(*kernels().front(), {{"v8", &lines}});
  EXPECT_NE(text.find("no sample on such a line"), std::string::npos) << text;
}

TEST(LinesInBrief, TellTheHottestFirst) {
  const std::string text = hottest_in_brief(test::sample_lines(), 2);
  const std::size_t load = text.find("v08_power2.cu:2"), term = text.find("v08_power2.cu:3");
  ASSERT_NE(load, std::string::npos) << text;
  EXPECT_LT(load, term);
  EXPECT_NE(text.find("long_scoreboard 90%"), std::string::npos) << text;
  EXPECT_EQ(text.find("division"), std::string::npos) << "two are asked for";
  EXPECT_EQ(hottest_in_brief_json(test::sample_lines(), 9).size(), 3U);
  LinesRecord counted = test::sample_lines();
  counted.period = 0;
  EXPECT_EQ(hottest_in_brief(counted, 2), "Its lines were counted, but not sampled.\n");
}

}  // namespace
}  // namespace gpp
