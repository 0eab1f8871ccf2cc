// Tests of a study of a published ladder: comparisons, missing numbers, records.
#include "harness/record/ladder.h"

#include <nlohmann/json.hpp>

#include "harness/record/record_json.h"
#include "harness/view/ladder.h"
#include "roofline/base/error.h"
#include "tests/harness/kept_text.h"
#include "tests/harness/sample_study.h"
#include "tests/text.h"

namespace gpp::test {
namespace {

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

TEST(LadderRecord, KeepsItsNameAndItsRows) {
  const StudyRecord study = tutorial();
  const json record = json::parse(to_json(study).dump());
  EXPECT_EQ(record["ladder"]["name"], "tutorial");
  ASSERT_EQ(record["ladder"]["rows"].size(), 5u);
  const json& third = record["ladder"]["rows"][3];
  EXPECT_EQ(third["step"], "step 3");
  EXPECT_EQ(third["published"]["gain"], 1.4);
  EXPECT_EQ(third["holds"], "yes");
  EXPECT_TRUE(record["ladder"]["rows"][2]["holds"].is_null());
  const StudyRecord read = parse_record(record.dump(), "x");
  EXPECT_EQ(read.ladder, "tutorial");
  EXPECT_EQ(json::parse(to_json(read).dump())["ladder"], record["ladder"]);
  EXPECT_FALSE(to_json(sample_study()).contains("ladder"));
}

std::string refusal(const json& record) {
  return thrown<roofline::InputError>([&] { parse_record(record.dump(), "x"); });
}

TEST(LadderRecord, IsRefusedWhereNobodyKnowsItsName) {
  const json good = json::parse(to_json(tutorial()).dump());
  EXPECT_EQ(refusal(good), "");
  const auto with = [&good](const char* place, const json& value) {
    json record = good;
    record[json::json_pointer(place)] = value;
    return refusal(record);
  };
  EXPECT_TRUE(contains(with("/ladder/name", "sc91"), "'sc91' is no ladder of the kernel gpp"));
  EXPECT_TRUE(contains(with("/ladder/name", 7), "ladder.name"));
  EXPECT_TRUE(contains(with("/ladder", 7), "ladder"));
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
