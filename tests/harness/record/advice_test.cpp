// Advice of a recorded variant: its line, and the step that acts on it.
#include "harness/record/advice.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "harness/record/guide.h"
#include "harness/view/advice.h"
#include "harness/view/lines.h"
#include "tests/harness/kept_text.h"
#include "tests/harness/sample_study.h"

namespace gpp::test {
namespace {

/// cuda v8, far from its roofs, waiting for memory.
StudyRecord study_of_v8() {
  StudyRecord study = roofline_study();
  std::erase_if(study.results, [](const Result& result) {
    return result.model != "cuda" || result.variant != "v8";
  });
  Result& v8 = study.results.front();
  v8.counted.metrics = {{"fp64_pipe", 41.0}, {"stall_long_scoreboard", 5.6}, {"stall_wait", 3.3}};
  v8.rooflines.front().percent_of_roof = 26;
  return study;
}

void make_an_idea(StudyRecord& study, const char* model, const char* parent) {
  Result& v8 = study.results.front();
  v8.variant = v8.step = "my_idea";
  v8.model = model;
  v8.parent = parent;
}

/// An idea gets the step of the ladder behind its parent, where its model has that.
const std::vector<Change<StudyRecord>> changes = {
    {"with lines", [](StudyRecord& study) { study.results.front().lines = sample_lines(); }},
    {"made from v9", [](StudyRecord& study) { make_an_idea(study, "cuda", "v9"); }},
    {"made from v9 in OpenMP", [](StudyRecord& study) { make_an_idea(study, "omp", "v9"); }},
    {"made from v12", [](StudyRecord& study) { make_an_idea(study, "cuda", "v12"); }},
    {"failed", [](StudyRecord& study) { study.results.front().status = Status::failed; }},
    {"without operations", [](StudyRecord& study) { study.results.front().rooflines.clear(); }},
    {"without counters",
     [](StudyRecord& study) {
       study.results.front().rooflines.clear();
       study.results.front().counted.metrics.clear();
     }},
    {"launches that cost", [](StudyRecord& study) {
       Result& v8 = study.results.front();
       v8.launches = {{"a", 1, 1, 1, 0, 0, 1}, {"b", 1, 1, 1, 0, 0, 1}};
       const double seconds = 0.26 * v8.timing().median;
       for (roofline::Ceilings& one : study.ceilings)
         if (one.kind == "gpu") one.launch = roofline::LaunchCost{seconds, 0, 1, ""};
     }}};

std::string told(const StudyRecord& study) {
  const auto advice = advice_on(study, study.results.front());
  if (!advice) return "no advice\n";
  return advice_text(*advice, 1000) + advice_tables(study, 100) + to_json(*advice).dump(1) + "\n";
}

TEST(HottestLine, AsksForWhatTheCauseIs) {
  const LinesRecord lines = sample_lines();
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
  const Kernel& kernel = *kernels().front();
  const LinesRecord lines = sample_lines();
  LinesRecord unknown = lines, counted = lines;
  unknown.sources.clear();
  counted.period = 0;
  const std::string beside = lines_beside(kernel, {{"v7", nullptr}, {"v8", &lines}});
  EXPECT_LE(longest_line(beside), 110U);
  EXPECT_EQ(lines_beside(kernel, {{"v4", &lines}}), "");
  expect_kept("harness/record/advice.txt",
              told_with_changes(study_of_v8(), changes, told) +
                  "\n==== lines beside published ones\n" + beside +
                  lines_beside_json(kernel, {{"v8", &lines}}).dump(1) +
                  "\n\n==== where none is known\n" + lines_beside(kernel, {{"v8", &unknown}}) +
                  "\n==== the hottest two\n" + hottest_in_brief(lines, 2) +
                  hottest_in_brief_json(lines, 9).dump(1) + "\n" + hottest_in_brief(counted, 2));
}

TEST(AdviceText, ShowsNothingOfARecordThatActs) {
  StudyRecord study = study_of_v8();
  Result& v8 = study.results.front();
  v8.counted.metrics = {{"stall_\033[31mred", 5.6}};
  v8.lines = sample_lines();
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
  const LinesRecord lines = sample_lines();
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
}  // namespace gpp::test
