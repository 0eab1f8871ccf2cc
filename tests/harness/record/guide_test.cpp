// Tests of the guide: the aims of steps and the roles of lines; advice on a recorded variant with
// its line and the next step. Tests of a study of a published ladder.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <set>

#include "gpp/study/kernel.h"
#include "harness/program/source_files.h"
#include "harness/record/guide.h"
#include "harness/record/ladder.h"
#include "harness/record/record_json.h"
#include "harness/teach/lessons.h"
#include "harness/view/columns.h"
#include "harness/view/ladder.h"
#include "harness/view/lines.h"
#include "harness/view/summary.h"
#include "roofline/base/error.h"
#include "tests/harness/kept_text.h"
#include "tests/harness/sample_study.h"

namespace gpp::test {
namespace {

/// The variant's own file, its forms, and files shared with other variants.
SourceLines sources_of(const Variant& variant) {
  const std::string own = source_text(variant.source).value_or("");
  SourceLines sources = {{variant.source, lines_of(own)}};
  for (const char* folder : {"gpp/forms", "variants"})
    for (const std::string& file : files_included(own, folder))
      sources[file] = lines_of(source_text(file).value_or(""));
  return sources;
}

const LineRole& role_called(const std::string& name) {
  for (const LineRole& role : guide_of(gpp_kernel()).roles)
    if (role.name == name) return role;
  throw std::logic_error("no role " + name);
}

TEST(Guide, EveryStepButTheFirstHasAnAim) {
  const Guide& guide = guide_of(gpp_kernel());
  std::set<std::string> aims;
  for (const StepAim& aim : guide.aims) aims.insert(aim.id);
  for (const Lesson& lesson : lessons_of(gpp_kernel()))
    EXPECT_EQ(aims.contains(lesson.id), lesson.id != "v1") << lesson.id;
  int last = 0;
  for (const StepAim& aim : guide.aims) {
    EXPECT_GT(number_of(aim.id), last) << "in their order";
    last = number_of(aim.id);
  }
}

/// Tests steps up to v10, because v11 and v12 lack some roles and load bands through helpers. A
/// published line has its role in its own step.
TEST(Guide, PartsStandInTheSourceOfEveryStep) {
  ASSERT_EQ(gpp_kernel().published().lines.size(), 5U);
  for (const Variant& variant : catalog()) {
    if (variant.source.ends_with(".md")) continue;
    const auto expect_part = [&](const LineRole& role) {
      EXPECT_FALSE(places_of(role, sources_of(variant)).empty())
          << variant.source << " has no line that lessons/guide.txt marks as " << role.name;
    };
    for (const PublishedLine& line : gpp_kernel().published().lines)
      if (variant.id == line.version) expect_part(role_called(line.role));
    const int number = number_of(variant.id);
    if (number > 0 && number <= 10)
      for (const LineRole& role : guide_of(gpp_kernel()).roles) expect_part(role);
  }
}

TEST(Guide, TheLoadAndTheCutoffAreOneLineEach) {
  const auto places_in = [](const char* role, const std::string& path) {
    return places_of(role_called(role), {{path, lines_of(source_text(path).value_or(""))}}).size();
  };
  for (const Variant& variant : catalog())
    if (variant.id == "v8" || variant.id == "v9") {
      EXPECT_EQ(places_in("band_load", variant.source), 1U) << variant.source;
    }
  for (const char* form : {"divide", "simplified", "reciprocal", "power2", "without_division",
                           "without_division_or_root", "without_root"})
    EXPECT_EQ(places_in("cutoff", std::string("gpp/forms/").append(form) + ".h"), 1U)
        << form << ": its line changed; lessons/guide.txt marks it";
}

TEST(Guide, RefusesWhatItCannotBeAndMarksFilesOrFolders) {
  const Guide sound = read_guide(
      "step v2\n  against wait, scalar code\n  by x\nrole r\n  title t\n  line a/ b c\n", "g");
  EXPECT_EQ(sound.aims.front().against, (std::vector<std::string>{"wait", "scalar code"}));
  EXPECT_EQ(sound.roles.front().marks.front().text, "b c");
  for (const char* bad :
       {"step v2\n  by x\n", "step v2\n  against wait\n", "step v2\n  against nonsense\n  by x\n",
        "step v2\n  against wait\n  against wait\n  by x\n", "role r\n  line a b\n",
        "role r\n  title t\n", "role r\n  title t\n  line a\n", "thing r\n  title t\n",
        "role r\n  title t\n  line a b\n  more m\n"})
    EXPECT_THROW(read_guide(bad, "g"), roofline::InputError) << bad;
  const LineRole role{"r", "a part", {{"a/b.h", "x = "}, {"c/", "y("}}};
  EXPECT_TRUE(plays(role, "a/b.h", "  x = 1;"));
  EXPECT_FALSE(plays(role, "a/b.h/d", "  x = 1;"));
  EXPECT_FALSE(plays(role, "a/b.h", "  y(1);"));
  EXPECT_TRUE(plays(role, "c/d/e.cu", "y(1)"));
  EXPECT_FALSE(plays(role, "cc/e.cu", "y(1)"));
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

std::string told_advice(const StudyRecord& study) {
  const auto advice = advice_on(study, study.results.front());
  if (!advice) return "no advice\n";
  const std::string text = summary(study, false);
  return fmt::format("{}\n{}", fmt::join(advice_sentences(*advice), "\n"),
                     text.substr(std::min(text.size(), text.find("What to look at next"))));
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

/// Tests texts of advice, and of lines beside published ones.
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
              told_with_changes(study_of_v8(), advice_changes, told_advice) +
                  "\n==== lines beside published ones\n" + beside + "\n==== where none is known\n" +
                  lines_beside(kernel, {{"v8", &unknown}}) + "\n==== the hottest two\n" +
                  hottest_in_brief(lines, 2) + hottest_in_brief(counted, 2));
}

TEST(AdviceText, ShowsNothingOfARecordThatActs) {
  StudyRecord study = study_of_v8();
  Result& v8 = study.results.front();
  v8.counted.metrics = {{"stall_\033[31mred", 5.6}};
  v8.lines = sample_lines();
  for (auto& [file, lines] : v8.lines->sources)
    for (std::string& line : lines) line = "\033[31m" + line;
  v8.lines->lines.back().function = "\033[31mdivision";
  for (const std::string& text : {told_advice(study), hottest_in_brief(*v8.lines, 5),
                                  lines_beside(kernel_of(study), {{"v8", &*v8.lines}})})
    EXPECT_EQ(text.find('\033'), std::string::npos) << text;
}

// ---- Parts that lines play ----------------------------------------------------------------------

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
  EXPECT_EQ(compare_gains(1.4, 1.4), Holds::yes);
  EXPECT_EQ(compare_gains(1.4, 1.3), Holds::yes);
  EXPECT_EQ(compare_gains(1.4, 1.2), Holds::less);
  EXPECT_EQ(compare_gains(2.5, 1.8), Holds::less);
  EXPECT_EQ(compare_gains(1.4, 1.7), Holds::more);
  EXPECT_EQ(compare_gains(1.4, 1.02), Holds::no) << "nothing gained";
  EXPECT_EQ(compare_gains(1.4, 0.9), Holds::no);
  EXPECT_EQ(compare_gains(1.01, 0.99), Holds::yes) << "nothing was gained there, either";
  EXPECT_EQ(compare_gains(0.94, 1.02), Holds::no) << "a loss there, none here";
  EXPECT_EQ(compare_gains(0.94, 0.70), Holds::more);
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

TEST(LadderRows, CompareSharesOfThePeak) {
  StudyRecord study = roofline_study();
  study.ladder = "arxiv";
  std::erase_if(study.results, [](const Result& result) { return result.model != "cuda"; });
  study.results[1].variant = "arxiv_8_block32";
  const auto at = [&study](double percent) {
    study.results[1].rooflines.front().percent_of_peak = percent;
    return ladder_runs(study).at(0).rows.back().holds;
  };
  EXPECT_EQ(at(55), Holds::yes);
  EXPECT_EQ(at(51), Holds::yes);
  EXPECT_EQ(at(40), Holds::less);
  EXPECT_EQ(at(70), Holds::more);
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
