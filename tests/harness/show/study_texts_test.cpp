// Tests of all texts on a study, and how each change of the study alters them; study_texts.txt has
// all of them. Energy.
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>

#include "harness/record/record_json.h"
#include "harness/report/page.h"
#include "harness/view/outcome.h"
#include "harness/view/summary.h"
#include "roofline/base/csv.h"
#include "roofline/base/table.h"
#include "roofline/base/text.h"
#include "tests/harness/kept_text.h"
#include "tests/harness/sample_study.h"

namespace gpp::test {
namespace {

/// v1 in 2 s and v7 in 0.5 s, v9 unavailable, nothing failed.
StudyRecord sound_study() {
  StudyRecord study = sample_study();
  std::erase_if(study.results,
                [](const Result& result) { return result.status == Status::failed; });
  return study;
}

/// study.csv with one line per column: a variant failed, v7 is far from its roofs and disturbed,
/// and the study was interrupted.
std::string columns_of_csv() {
  StudyRecord study = sample_study();
  study.complete = false;
  study.results[1].rooflines.front().percent_of_roof = 26;
  study.results[1].load.assign(5, {0.34, 0.0});
  std::vector<std::vector<std::string>> rows;
  const std::string text = csv({{"a, b", study}});
  for (roofline::CsvReader reader(text, "study.csv"); !reader.at_end();)
    rows.push_back(reader.row().cells);
  std::string columns;
  for (std::size_t column = 0; column < rows[0].size(); ++column)
    for (const std::vector<std::string>& row : rows)
      columns += row.at(column) + (&row == &rows.back() ? "\n" : " | ");
  return columns;
}

/// The texts with one space between columns, to ignore widths.
std::string told(const StudyRecord& study) {
  static const roofline::Pattern spaces(" +"), rule("---+");
  return rule.replaced(spaces.replaced(summary(study, false), " "), "---") + doubts(study, false) +
         learnt(study);
}

void set_load(StudyRecord& study, const LoadShare& share, const char* kind = "host") {
  study.results[1].kind = kind;
  study.results[1].load.assign(study.results[1].samples.size(), share);
}

void set_power_cap(StudyRecord& study, int runs) {
  study.results[1].kind = "gpu";
  study.results[1].clocks.limited = {{"power", runs}};
}

/// Makes v1 and v7 results of a GPU, v1 with this clock.
void set_clocks(StudyRecord& study, double first) {
  for (std::size_t i : {0, 1}) {
    study.results[i].kind = "gpu";
    study.results[i].clocks.samples.assign(5, i == 0 ? first : 1965);
  }
}

/// Makes v1's point computed instead of counted.
void compute_point(StudyRecord& study) {
  Result& v1 = study.results[0];
  v1.counted.source = roofline::CountedBy::analytic;
  v1.counted.reason = "no counters here";
  v1.rooflines = study.results[1].rooflines;
  roofline::RooflinePoint& point = v1.rooflines.front();
  point.analytic = true;
  point.flop_per_s = 7.5e10;
  point.levels = {{"dram", 2e9, 750, 3.3e13, 9.1, 0.0005}};
  point.bound_by = "compute";
  point.defects.clear();
}

const std::vector<Change<StudyRecord>> study_changes = {
    {"a variant failed", [](StudyRecord& study) { study = sample_study(); }},
    {"it was interrupted", [](StudyRecord& study) { study.complete = false; }},
    {"the input contradicts its own reference",
     [](StudyRecord& study) { study.reference.disagreement = "asx at frequency 2 differs"; }},
    {"nothing ran",
     [](StudyRecord& study) {
       for (Result& result : study.results) result.status = Status::unavailable;
     }},
    {"of a published ladder", [](StudyRecord& study) { study.ladder = "sc19"; }},
    {"a point is computed", compute_point},
    {"no roof is near",
     [](StudyRecord& study) {
       compute_point(study);
       study.results[0].counted.metrics.clear();
       study.results[0].rooflines.front().percent_of_roof = 4;
       study.results[1].rooflines.front().percent_of_roof = 26;
       study.results[1].rooflines.front().bound_by = "compute";
     }},
    {"a point is doubtful",
     [](StudyRecord& study) {
       study.results[1].rooflines[0].defects = {"the point lies above the l1 roof"};
     }},
    {"a GPU that was not counted",
     [](StudyRecord& study) {
       compute_point(study);
       study.results[0].kind = study.ceilings.front().kind = "gpu";
     }},
    {"nothing was counted",
     [](StudyRecord& study) {
       for (Result& result : study.results) {
         result.counted = {};
         result.rooflines.clear();
       }
     }},
    {"others took 34%",
     [](StudyRecord& study) {
       set_load(study, {0.34, 0});
     }},
    {"others took a GPU",
     [](StudyRecord& study) {
       set_load(study, {0.5, 0, 0.87}, "gpu");
     }},
    {"three runs at the power cap", [](StudyRecord& study) { set_power_cap(study, 3); }},
    {"at other clocks", [](StudyRecord& study) { set_clocks(study, 1310); }},
    {"a thousand threads", [](StudyRecord& study) { study.results[0].threads = 1000; }},
    {"some processors",
     [](StudyRecord& study) {
       study.machine.affinity = "0-1";
       study.machine.online_cores = 4;
       study.machine.governor = "powersave";
       study.machine.load_average = 0.5;
     }},
    {"nothing was gained",
     [](StudyRecord& study) { study.results[1].samples = study.results[0].samples; }},
    {"two runs", [](StudyRecord& study) { study.results[1].samples.resize(2); }},
};

/// The text of `gpp run`: the variant, then its parent.
std::string told_of_a_run() {
  StudyRecord study = sound_study();
  std::swap(study.results[0], study.results[1]);
  study.results.resize(2);
  const std::string both = learnt_of_run(study);
  study.results.resize(1);
  return both + learnt_of_run(study);
}

TEST(StudyTexts, AreThoseThatAreKept) {
  const std::string text = told_with_changes(sound_study(), study_changes, told) +
                           "\n==== a run\n" + told_of_a_run() + "\n==== study.csv\n" +
                           columns_of_csv();
  EXPECT_LE(longest_line(summary(sample_study(), false)), 100u);
  EXPECT_FALSE(contains(text, "\033"));
  expect_kept("harness/show/study_texts.txt", text);
  EXPECT_TRUE(contains(summary(sample_study(), true), "\033[1;31m"));
}

TEST(StudyTexts, OfTheCsvHoldNumbersInFullAndNothingThatActs) {
  StudyRecord study = sample_study();
  study.results.resize(1);
  study.results[0].device = "=cmd|' /C calc'!A0";
  study.results[0].reason = "@x\x1b[2J\n-1";
  EXPECT_TRUE(contains_all(csv({{"+team", study}}),
                           {"\n'+team,", ",'=cmd|' /C calc'!A0,", ",'@x\\x1b[2J\\n-1,"}));
  const std::string full = csv({{"a", sample_study()}});
  const double median = sample_study().results[1].timing().median;
  EXPECT_TRUE(contains(full, fmt::format(",{},", median)));
}

TEST(Brief, FitsOnOneScreen) {
  for (const char* name : {"xeon-2-cores/silicon8", "xeon-2-cores/stream", "h200/silicon8",
                           "h200/gpp214", "h200/epsilon", "h200/ladders/sc20"}) {
    StudyRecord study = read_record(std::string(GPP_SOURCE_DIR "/results/") + name);
    study.results[0].status = Status::failed;
    study.results[0].reason = std::string(80, 'x') + " " + std::string(80, 'y');
    const std::string text = brief(study, false) + learnt(study);
    EXPECT_LE(longest_line(text), 100u) << text;
    EXPECT_LE(std::count(text.begin(), text.end(), '\n') + 2, most_lines) << name << "\n" << text;
  }
  const std::string text = brief(read_record(GPP_SOURCE_DIR "/results/h200/silicon8"), false);
  EXPECT_TRUE(
      contains_all(text, {"cuda        v12", "omp gpu     v1 ", "more variants: --details"}));
  StudyRecord serial = read_record(GPP_SOURCE_DIR "/results/xeon-16-cores/silicon8");
  std::erase_if(serial.results, [](const Result& result) { return result.model != "serial"; });
  EXPECT_TRUE(contains(learnt(serial), " --model serial"));
}

TEST(Tables, AlignTrimAndWrapAtWords) {
  roofline::Table table = roofline::plain_table({{"name"}, {"n", roofline::Align::right}, {""}});
  table.add({"a", "10", ""});
  table.add({"long name", "9", "x"});
  EXPECT_EQ(roofline::terminal_text(table),
            "name        n\n----------------\na          10\nlong name   9  x\n");
  EXPECT_EQ(roofline::wrapped("one two three four", 9, 2), "one two\n  three\n  four");
  EXPECT_EQ(roofline::wrapped("incomprehensibilities", 5, 2), "incomprehensibilities");
}

// ---- Energy -------------------------------------------------------------------------------------

/// The first two variants take 400 W for 0.5 s per run, the second one half of that.
StudyRecord study_with_energy() {
  StudyRecord study = sample_study();
  for (std::size_t i = 0; i < 2; ++i) {
    Result& result = study.results[i];
    result.energy = EnergyRecord{.used = {4000, 10, 100},
                                 .runs = 20,
                                 .run_seconds = i == 0 ? 0.5 : 0.25,
                                 .clock_mhz = 1800,
                                 .idle_watts = 80,
                                 .celsius = 60,
                                 .limits = {"power"}};
  }
  return study;
}

TEST(EnergyView, HasColumnsWhereEnergyIsKnownAndTellsIdlePowerAndReasons) {
  StudyRecord study = study_with_energy();
  EXPECT_TRUE(contains_all(summary(study, false), {" W  J/run  J/1e9", "400    200    200",
                                                   "W: power while it runs back to back."}));
  EXPECT_TRUE(contains_all(csv({{"a", study}}), {",cycles,watts,joules_per_run,", ",400,200,"}));
  EXPECT_FALSE(contains(summary(sample_study(), false), "J/1e9"));
  study.results[1].energy = EnergyRecord{.reason = "there is no NVML here"};
  EXPECT_TRUE(contains(summary(study, false), "there is no NVML here"));
}

TEST(EnergyRecordTest, ComesBackAsItWasAndIsRefusedWithoutNumbersOrReason) {
  StudyRecord study = study_with_energy();
  study.results[1].energy = EnergyRecord{.reason = "it does not move"};
  auto json = roofline::facts_json(study);
  EXPECT_EQ(to_json(parse_record(json.dump(), "record")), to_json(study));
  EXPECT_EQ(json["results"][1]["energy"]["reason"], "it does not move");
  EXPECT_EQ(to_json(study)["results"][0]["energy"]["joules_per_1e9"], 200);
  for (const auto& wrong : {nlohmann::json{{"reason", ""}}, {{"reason", ""}, {"joules", -1}}}) {
    json["results"][1]["energy"] = wrong;
    EXPECT_THROW(parse_record(json.dump(), "record"), roofline::InputError);
  }
}

}  // namespace
}  // namespace gpp::test
