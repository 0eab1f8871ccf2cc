// Energy: its model, its table, its chart, its place in the record.
#include "harness/view/energy.h"

#include <nlohmann/json.hpp>

#include "harness/record/record_json.h"
#include "harness/view/ladder_charts.h"
#include "harness/view/summary.h"
#include "roofline/base/error.h"
#include "roofline/energy_model.h"
#include "tests/harness/sample_study.h"
#include "tests/text.h"

namespace gpp::test {
namespace {

/// A device of 100 W that takes 1 nJ for an FP64 instruction, 2 nJ for another of a warp, and 10,
/// 30 and 60 pJ for a byte from L1, L2 and DRAM.
std::vector<roofline::RoofPower> simple_power() {
  return {{"resident", 100, 0},      {"fp64_operands_3", 200, 200e9},
          {"issue_alu", 300, 100e9}, {"fp64_tensor", 150, 100e9},
          {"l1", 110, 1e12},         {"l2", 130, 1e12},
          {"dram", 160, 1e12}};
}

TEST(EnergyModel, PricesAreWhatAKernelTakesAboveBlocksThatSleep) {
  const auto prices = roofline::energy_prices(simple_power()).value();
  EXPECT_EQ(prices.constant_watts, 100);
  EXPECT_DOUBLE_EQ(prices.of_one.fp64, 1e-9);
  EXPECT_DOUBLE_EQ(prices.of_one.instructions, 2e-9);
  EXPECT_DOUBLE_EQ(prices.of_one.tensor, 0.5e-9);
  EXPECT_DOUBLE_EQ(prices.of_one.l1, 10e-12);
  EXPECT_DOUBLE_EQ(prices.of_one.l2, 20e-12) << "above L1, which the bytes pass, too";
  EXPECT_DOUBLE_EQ(prices.of_one.dram, 30e-12);
}

TEST(EnergyModel, WithoutOneOfThePricesNothingIsExpected) {
  for (const char* name : {"resident", "fp64_operands_3", "issue_alu", "l1", "l2", "dram"}) {
    auto power = simple_power();
    std::erase_if(power, [name](const auto& one) { return one.name == name; });
    EXPECT_FALSE(roofline::energy_prices(power)) << name;
  }
  auto power = simple_power();
  power[1].watts = 90;
  EXPECT_FALSE(roofline::energy_prices(power)) << "less than blocks that sleep";
  power = simple_power();
  power.push_back({"fp64_tensor", 150, 200e9});
  EXPECT_DOUBLE_EQ(roofline::energy_prices(power).value().of_one.tensor, 0.25e-9)
      << "a faster shape of the same instruction";
  std::erase_if(power, [](const auto& one) { return one.name == "fp64_tensor"; });
  EXPECT_EQ(roofline::energy_prices(power).value().of_one.tensor, 0) << "an older card";
}

roofline::Metrics counts() {
  return {{"fp64_pipe_instructions", 32e9},
          {"instructions", 3e9},
          {"fp64_tensor_flop", 2e9},
          {"l1_bytes", 1e12},
          {"shared_bytes", 1e12},
          {"l2_bytes", 0.5e12},
          {"dram_bytes", 0.1e12}};
}

TEST(EnergyModel, ARunIsTheSumOfItsParts) {
  const auto prices = roofline::energy_prices(simple_power()).value();
  const auto parts = roofline::predicted_energy(prices, counts(), 0.5).value();
  EXPECT_DOUBLE_EQ(parts.constant, 50);
  EXPECT_DOUBLE_EQ(parts.fp64, 32);
  EXPECT_DOUBLE_EQ(parts.instructions, 4) << "1e9 of 3e9 are of FP64";
  EXPECT_DOUBLE_EQ(parts.tensor, 1);
  EXPECT_DOUBLE_EQ(parts.l1, 20);
  EXPECT_DOUBLE_EQ(parts.l2, 10);
  EXPECT_DOUBLE_EQ(parts.dram, 3);
  EXPECT_DOUBLE_EQ(parts.sum(), 120);
  for (const char* name :
       {"fp64_pipe_instructions", "instructions", "l1_bytes", "l2_bytes", "dram_bytes"}) {
    roofline::Metrics fewer = counts();
    fewer.erase(name);
    EXPECT_FALSE(roofline::predicted_energy(prices, fewer, 0.5)) << name;
  }
  EXPECT_FALSE(roofline::predicted_energy(prices, counts(), 0));
}

/// Its first two variants take 400 W for 0.5 s a run, and the second of them half of that.
StudyRecord study_with_energy() {
  StudyRecord study = sample_study();
  study.ceilings[0].power = simple_power();
  study.ceilings[0].kind = study.results[0].kind;
  for (std::size_t i = 0; i < 2; ++i) {
    Result& result = study.results[i];
    result.energy = EnergyRecord{.used = {4000, 10, 100},
                                 .runs = 20,
                                 .run_seconds = i == 0 ? 0.5 : 0.25,
                                 .clock_mhz = 1800,
                                 .idle_watts = 80,
                                 .celsius = 60,
                                 .limits = {"power"}};
    result.counted.metrics.merge(counts());
  }
  return study;
}

std::string cell_of(const roofline::ViewTable& table, std::size_t row, const std::string& column) {
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    if (table.columns[i].name == column) return table.rows.at(row).cells.at(i).text;
  return "no such column";
}

TEST(EnergyView, TheTableHasWhatWasMeasuredBesideWhatIsExpected) {
  const std::vector<NamedStudy> named = {{"a", study_with_energy()}};
  const ShownResults shown(named);
  const roofline::ViewTable table = energy_table(shown);
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(cell_of(table, 0, "watts"), "400");
  EXPECT_EQ(cell_of(table, 0, "clock"), "1800");
  EXPECT_EQ(cell_of(table, 0, "joules"), "200");
  EXPECT_EQ(cell_of(table, 0, "joules_of_work"), "200");
  EXPECT_EQ(cell_of(table, 0, "expected"), "120");
  EXPECT_EQ(cell_of(table, 0, "difference"), "-40.0%");
  EXPECT_EQ(cell_of(table, 0, "limits"), "power");
  EXPECT_EQ(cell_of(table, 1, "joules"), "100");
}

TEST(EnergyView, WithoutPricesNothingIsExpected) {
  StudyRecord study = study_with_energy();
  study.ceilings[0].power.clear();
  const std::vector<NamedStudy> named = {{"a", study}};
  const ShownResults shown(named);
  EXPECT_EQ(cell_of(energy_table(shown), 0, "joules"), "200");
  EXPECT_EQ(cell_of(energy_table(shown), 0, "expected"), "no such column");
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

TEST(EnergyModel, ARoofIsThePriceOfAnOperationItsBytesAndTheTime) {
  const auto roof = roofline::energy_roof(simple_power(), "dram").value();
  EXPECT_DOUBLE_EQ(roof.joules_per_flop, 0.5e-9);
  EXPECT_DOUBLE_EQ(roof.joules_per_byte, 60e-12) << "it passes L2 and L1";
  EXPECT_DOUBLE_EQ(roof.balance(), 0.12);
  // 200e9 operations a second: 0.5 nJ of constant power for each; a tenth of a byte adds 6 pJ.
  EXPECT_NEAR(roof.at(10), 1 / (0.5e-9 + 6e-12 + 0.5e-9), 1);
  // 10 bytes for each: at 1e12 B/s they take 10 ps, twice as long as the operation.
  EXPECT_NEAR(roof.at(0.1), 1 / (0.5e-9 + 600e-12 + 1e-9), 1);
  EXPECT_DOUBLE_EQ(roofline::energy_roof(simple_power(), "l1").value().joules_per_byte, 10e-12);
  EXPECT_FALSE(roofline::energy_roof({}, "dram"));
}

TEST(EnergyView, TheRooflineOfEnergyPlacesEachVariantAtEachLevel) {
  StudyRecord study = study_with_energy();
  study.ceilings[0].kind = "gpu";
  for (std::size_t i = 0; i < 2; ++i) {
    study.results[i].kind = "gpu";
    study.results[i].counted.metrics["fp64_flop"] = 98e9;
  }
  const roofline::Chart chart = make_energy_roofline({"a", study}, "energy").value();
  ASSERT_EQ(chart.marks.size(), 6u);
  ASSERT_EQ(chart.lines.size(), 3u);
  const roofline::ChartMark& dram = chart.marks[4];
  EXPECT_EQ(dram.of, "dram");
  EXPECT_DOUBLE_EQ(dram.at.x, 1) << "2e9 operations of tensor cores are among them";
  EXPECT_DOUBLE_EQ(dram.at.y, 100e9 / 200);
  EXPECT_DOUBLE_EQ(chart.marks[5].at.y, 2 * dram.at.y);
  study.ceilings[0].power.clear();
  EXPECT_FALSE(make_energy_roofline({"a", study}, "energy")) << "no prices, no roofs";
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
  EXPECT_EQ(read.ceilings[0].power.size(), simple_power().size());
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
