// Energy: its table, its chart, its place in the record.
#include "harness/view/energy.h"

#include <nlohmann/json.hpp>

#include "harness/record/record_json.h"
#include "harness/view/ladder_charts.h"
#include "harness/view/summary.h"
#include "roofline/base/error.h"
#include "tests/harness/sample_study.h"
#include "tests/text.h"

namespace gpp::test {
namespace {

/// Its first two variants take 400 W for 0.5 s a run, and the second of them half of that.
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

std::string cell_of(const roofline::ViewTable& table, std::size_t row, const std::string& column) {
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    if (table.columns[i].name == column) return table.rows.at(row).cells.at(i).text;
  return "no such column";
}

TEST(EnergyView, TheTableHasPowerClockAndJoules) {
  const std::vector<NamedStudy> named = {{"a", study_with_energy()}};
  const ShownResults shown(named);
  const roofline::ViewTable table = energy_table(shown);
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(cell_of(table, 0, "watts"), "400");
  EXPECT_EQ(cell_of(table, 0, "clock"), "1800");
  EXPECT_EQ(cell_of(table, 0, "joules"), "200");
  EXPECT_EQ(cell_of(table, 0, "joules_of_work"), "200");
  EXPECT_EQ(cell_of(table, 0, "limits"), "power");
  EXPECT_EQ(cell_of(table, 1, "joules"), "100");
}

TEST(EnergyView, WithoutEnergyThereIsNeitherTableNorChartNorColumn) {
  const std::vector<NamedStudy> named = {{"a", sample_study()}};
  EXPECT_TRUE(energy_text(named[0].study, false).empty());
  EXPECT_FALSE(make_ladder(named, LadderView::energy, "e"));
  EXPECT_FALSE(contains(summary(named[0].study, false), "J/1e9"));
}

TEST(EnergyView, TheChartIsOfJoules) {
  const roofline::Chart chart =
      make_ladder({{"a", study_with_energy()}}, LadderView::energy, "ladder-energy").value();
  EXPECT_TRUE(contains(chart.title, "energy of 1e9 terms"));
  EXPECT_EQ(chart.key.size(), 1u) << "nothing of it was published";
}

TEST(EnergyView, TheSummaryTellsIdlePowerAndWhatIsNotKnown) {
  StudyRecord study = study_with_energy();
  EXPECT_TRUE(
      contains(summary(study, false), "back to back (idle: 80 W). J/1e9: energy of 1e9 terms."));
  study.results[1].energy = EnergyRecord{.reason = "there is no NVML here"};
  EXPECT_TRUE(contains(summary(study, false), "there is no NVML here."));
}

TEST(EnergyView, TheCsvHasPowerAndEnergyWhereTheyAreKnown) {
  const std::string text = csv({{"a", study_with_energy()}});
  EXPECT_TRUE(contains_all(text, {",cycles,watts,joules_per_run,", ",400,200,"}));
}

TEST(EnergyRecordTest, ComesBackAsItWas) {
  const StudyRecord study = study_with_energy();
  const StudyRecord read = parse_record(roofline::facts_json(study).dump(), "record");
  const EnergyRecord& energy = read.results[0].energy.value();
  EXPECT_EQ(energy.used.joules, 4000);
  EXPECT_EQ(energy.used.updates, 100);
  EXPECT_EQ(energy.celsius, 60);
  EXPECT_EQ(energy.limits, std::vector<std::string>{"power"});
  EXPECT_EQ(energy.joules_per_run(), 200);
  EXPECT_FALSE(read.results[2].energy);
  EXPECT_EQ(to_json(study)["results"][0]["energy"]["joules_per_1e9"], 200);
}

TEST(EnergyRecordTest, ReasonsComeBackAndNumbersWithoutThemAreRefused) {
  StudyRecord study = study_with_energy();
  study.results[0].energy = EnergyRecord{.reason = "it does not move"};
  auto json = roofline::facts_json(study);
  EXPECT_EQ(parse_record(json.dump(), "record").results[0].energy->reason, "it does not move");
  json["results"][0]["energy"]["reason"] = "";
  EXPECT_THROW(parse_record(json.dump(), "record"), roofline::InputError);
  json["results"][0]["energy"] = {{"reason", ""}, {"joules", -1}};
  EXPECT_THROW(parse_record(json.dump(), "record"), roofline::InputError);
}

}  // namespace
}  // namespace gpp::test
