// Tests of the guide: the aims of steps; advice on a recorded variant with its line and the next
// step. Tests of a study of a published ladder.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <set>

#include "gpp/study/kernel.h"
#include "harness/program/source_diff.h"
#include "harness/record/advice.h"
#include "harness/record/ladder.h"
#include "harness/record/record_json.h"
#include "harness/teach/lessons.h"
#include "harness/view/columns.h"
#include "harness/view/summary.h"
#include "roofline/base/text.h"
#include "tests/harness/kept_text.h"
#include "tests/harness/sample_study.h"

namespace gpp::test {
namespace {

TEST(Guide, EveryStepButTheFirstHasAnAim) {
  std::set<std::string> ids;
  int last = 0;
  for (const StepAim& aim : aims_of(gpp_kernel())) {
    EXPECT_GT(number_of(aim.id), last) << "in their order";
    last = number_of(aim.id);
    ids.insert(aim.id);
  }
  for (const Lesson& lesson : lessons_of(gpp_kernel()))
    EXPECT_EQ(ids.contains(lesson.id), lesson.id != "v1") << lesson.id;
}

TEST(Guide, RefusesWhatItCannotBe) {
  const std::vector<StepAim> sound =
      read_aims("step v2\n  against wait, scalar code\n  by x\n", "g");
  EXPECT_EQ(only(sound).against, (std::vector<std::string>{"wait", "scalar code"}));
  for (const char* bad :
       {"step v2\n  by x\n", "step v2\n  against wait\n", "step v2\n  against nonsense\n  by x\n",
        "thing r\n  by t\n", "step v2\n  against wait\n  against wait\n  by x\n"})
    EXPECT_THROW(read_aims(bad, "g"), roofline::InputError) << bad;
}

// ---- Advice -------------------------------------------------------------------------------------

void make_an_idea(StudyRecord& study, const char* model, const char* parent) {
  Result& v8 = study.results.front();
  v8.variant = v8.step = "my_idea";
  v8.model = model;
  v8.parent = parent;
}

/// A user's variant gets the ladder's step after its parent, if its model has that.
const std::vector<Change<StudyRecord>> advice_changes = {
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

std::string told_advice(const StudyRecord& study) {
  const auto advice = advice_on(study, study.results.front());
  if (!advice) return "no advice\n";
  const std::string text = summary(study, false);
  return fmt::format("{}\n{}", fmt::join(advice_sentences(*advice), "\n"),
                     text.substr(std::min(text.size(), text.find("What to look at next"))));
}

TEST(AdviceText, IsTheOneThatIsKept) {
  expect_kept("harness/record/advice.txt",
              told_with_changes(study_of_v8(), advice_changes, told_advice));
}

TEST(AdviceText, ShowsNothingOfARecordThatActs) {
  StudyRecord study = study_of_v8();
  Result& v8 = study.results.front();
  v8.counted.metrics = {{"stall_\033[31mred", 5.6}};
  EXPECT_EQ(told_advice(study).find('\033'), std::string::npos);
}

// ---- Published ladders --------------------------------------------------------------------------

using nlohmann::json;

/// The tutorial's five steps in OpenMP: 2 s, then divided by these gains.
StudyRecord tutorial(std::vector<double> gains = {1.0, 1.25, 1.4, 1.5}) {
  StudyRecord study = sample_study();
  study.ladder = "tutorial";
  const Result model = study.results.front();
  study.results.clear();
  double seconds = 2;
  const PublishedLadder& ladder = *ladder_of(study);
  for (std::size_t i = 0; i < ladder.steps.size(); ++i) {
    if (i > 0) seconds /= gains[i - 1];
    study.results.push_back(model);
    study.results.back().variant = study.results.back().step = ladder.steps[i].variant;
    study.results.back().samples = {seconds, seconds, seconds};
  }
  return study;
}

TEST(LadderGains, HoldWithinAThirdOfTheEffect) {
  EXPECT_EQ(compare_gains(1.4, 1.4), "yes");
  EXPECT_EQ(compare_gains(1.4, 1.3), "yes");
  EXPECT_EQ(compare_gains(1.4, 1.2), "less");
  EXPECT_EQ(compare_gains(2.5, 1.8), "less");
  EXPECT_EQ(compare_gains(1.4, 1.7), "more");
  EXPECT_EQ(compare_gains(1.4, 1.02), "no") << "nothing gained";
  EXPECT_EQ(compare_gains(1.4, 0.9), "no");
  EXPECT_EQ(compare_gains(1.01, 0.99), "yes") << "nothing was gained there, either";
  EXPECT_EQ(compare_gains(0.94, 1.02), "no") << "a loss there, none here";
  EXPECT_EQ(compare_gains(0.94, 0.70), "more");
}

const std::vector<Change<StudyRecord>> ladder_changes = {
    {"on a GPU at equal clocks, but for step 3",
     [](StudyRecord& study) {
       for (Result& result : study.results) {
         result.kind = "gpu";
         result.clocks.samples.assign(3, &result == &study.results[3] ? 1440 : 1980);
       }
     }},
    {"step 2 failed",
     [](StudyRecord& study) {
       study.results[2].status = Status::failed;
       study.results[2].reason = "asx is wrong";
     }},
    {"without the baseline",
     [](StudyRecord& study) { study.results.erase(study.results.begin()); }},
    {"step 4 cannot run",
     [](StudyRecord& study) {
       study.results[4].status = Status::unavailable;
       study.results[4].reason = "no device";
     }},
    {"step 4 ran elsewhere", [](StudyRecord& study) { study.results[4].kind = "gpu"; }},
    {"of steps that the model lacks", [](StudyRecord& study) { study.ladder = "arxiv"; }}};

/// Published beside measured results, and the effect of each change.
TEST(LadderRows, AreThoseThatAreKept) {
  expect_kept("harness/record/ladder.txt",
              told_with_changes(tutorial(), ladder_changes, [](const StudyRecord& study) {
                return ladder_text(study, false);
              }));
  StudyRecord study = tutorial();
  study.results.erase(study.results.begin());
  EXPECT_FALSE(speedup(study, study.results.front())) << "over what is not there";
}

TEST(LadderBaseline, IsTheFirstStepOfTheLadder) {
  StudyRecord study = sample_study();
  EXPECT_EQ(baseline_of(study), "v1");
  study.ladder = "sc20";
  EXPECT_EQ(baseline_of(study), "sc20_1_baseline");
  study.results[0].variant = "sc20_1_baseline";
  study.results[1].variant = "v9";
  EXPECT_DOUBLE_EQ(*speedup(study, study.results[1]), 4);
  EXPECT_FALSE(published_speedup(study, study.results[1])) << "SC19's of v9 is of another ladder";
}

TEST(LadderRecord, KeepsItsNameAndIsRefusedWhereNobodyKnowsIt) {
  const json good = json::parse(to_json(tutorial()).dump());
  EXPECT_EQ(good["ladder"]["name"], "tutorial");
  EXPECT_EQ(good["ladder"]["rows"][3]["published"]["gain"], 1.4);
  EXPECT_EQ(good["ladder"]["rows"][3]["holds"], "yes");
  EXPECT_TRUE(good["ladder"]["rows"][2]["holds"].is_null());
  EXPECT_EQ(json::parse(to_json(parse_record(good.dump(), "x")).dump()), good);
  EXPECT_FALSE(to_json(sample_study()).contains("ladder"));
  for (const auto& [place, value, told] :
       {std::tuple("/ladder/name", json("sc91"), "'sc91' is no ladder of the kernel gpp"),
        {"/ladder/name", json(7), "ladder.name"},
        {"/ladder", json(7), "ladder"}}) {
    json record = good;
    record[json::json_pointer(place)] = value;
    EXPECT_TRUE(
        contains(thrown<roofline::InputError>([&] { parse_record(record.dump(), "x"); }), told));
  }
}

TEST(Ladder, ChartsCallItsOwnStepsByWhatStandsBeforeTheirIdeas) {
  StudyRecord study = sample_study();
  EXPECT_EQ(name_in_charts(study, "sc20_5_band_groups"), "sc20_5_band_groups") << "of no ladder";
  study.ladder = "sc20";
  EXPECT_EQ(name_in_charts(study, "sc20_5_band_groups"), "sc20_5");
  EXPECT_EQ(name_in_charts(study, "sc20_4"), "sc20_4");
  EXPECT_EQ(name_in_charts(study, "v9"), "v9");
  EXPECT_EQ(name_in_charts(study, "sc200_own"), "sc200_own");
}

}  // namespace
}  // namespace gpp::test
