// Tests of energy: its columns and its record.

#include <nlohmann/json.hpp>

#include "harness/record/record_json.h"
#include "harness/view/summary.h"
#include "roofline/base/error.h"
#include "tests/harness/sample_study.h"
#include "tests/text.h"

namespace gpp::test {
namespace {

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

TEST(EnergyView, TheSummaryHasColumnsWhereEnergyIsKnown) {
  EXPECT_TRUE(
      contains_all(summary(study_with_energy(), false), {" W  J/run  J/1e9", "400    200    200"}));
  EXPECT_FALSE(contains(summary(sample_study(), false), "J/1e9"));
}

TEST(EnergyView, TheSummaryTellsIdlePowerAndWhatIsNotKnown) {
  StudyRecord study = study_with_energy();
  EXPECT_TRUE(
      contains(summary(study, false), "back to back (idle: 80 W). J/run: energy of a run;"));
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
