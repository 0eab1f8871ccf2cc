// Tests of the plan of a calculation on many ranks, of the division of work, and of runs over
// numbers of ranks.
#include <nlohmann/json.hpp>

#include <set>

#include "gpp/scale/partition.h"
#include "gpp/scale/plan.h"
#include "gpp/scale/sweep.h"
#include "harness/record/record_json.h"
#include "roofline/base/error.h"
#include "roofline/base/json_place.h"
#include "tests/text.h"

namespace gpp::scale {
namespace {

// ---- The plan of the published systems: operations, memory and communication as published.

TEST(Plan, OperationsAreThePublishedOnesWithinAPercent) {
  ASSERT_EQ(systems().size(), 5U);
  for (const System& system : systems()) {
    const System::Needs ours = needs_of(system);
    // Published numbers have two or three digits; half of the last one is tolerated.
    EXPECT_NEAR(ours.epsilon_pflop / system.published.epsilon_pflop, 1, 0.0101) << system.name;
    EXPECT_NEAR(ours.sigma_pflop / system.published.sigma_pflop, 1, 0.01) << system.name;
    EXPECT_NEAR(ours.epsilon_memory_tb / system.published.epsilon_memory_tb, 1, 0.01)
        << system.name;
    EXPECT_NEAR(ours.epsilon_comm_gb / system.published.epsilon_comm_gb, 1, 0.01) << system.name;
    EXPECT_NEAR(ours.sigma_comm_gb / system.published.sigma_comm_gb, 1, 0.01) << system.name;
    // The published 34.3 GB of Si-510 differ from the sum of their parts, 22.5 and 12.8.
    const double due = system.name == "Si-510" ? 22.5 + 12.8 : system.published.sigma_memory_gb;
    EXPECT_NEAR(ours.sigma_memory_gb / due, 1, 0.01) << system.name;
  }
}

TEST(Plan, ItsStatesGiveThePublishedRates) {
  for (const PublishedRun& run : published_runs()) {
    const double pflop = needs_of(system_called(run.system)).sigma_pflop * run.spread.states;
    EXPECT_NEAR(pflop / run.compute_s / run.pflop_per_s, 1, 0.01) << run.system;
  }
}

TEST(Plan, MoreRanksTakeLessTimeUntilTheLinkIsTheLimit) {
  const System& system = system_called("Si-214");
  const Machine fast{1e12, 0, "test"};
  const double one = plan_of(system, {1, 1, 1}, fast).seconds();
  EXPECT_NEAR(one, 2.0 * 6397 * 11075 * 11075 / 1e12, 1e-9);
  EXPECT_NEAR(one / plan_of(system, {8, 1, 1}, fast).seconds(), 8, 0.01);
  EXPECT_NEAR(plan_of(system, {8, 2, 2}, fast).seconds() / one, 0.25, 0.001)
      << "two pools of four, a state each";
  const Machine slow_link{1e12, 1e9, "test"};
  const Plan eight = plan_of(system, {8, 1, 1}, slow_link);
  // Seven of eight blocks are passed; a step hides a transfer up to its own duration.
  const double pass = 32.0 * 6397 / 8 * 11075 / 1e9;
  EXPECT_NEAR(eight.wait_s, 7 * (pass - eight.compute_s / 8), 1e-9);
}

TEST(Plan, JsonNamesEverySystem) {
  const Json json = plan_json({27648, 256, 240}, {1e12, 2e10, "test"});
  for (const System& system : systems()) {
    ASSERT_TRUE(json["systems"].contains(system.name));
    EXPECT_EQ(json["systems"][system.name]["gpus"], 27648);
  }
  EXPECT_NEAR(json["systems"]["Si-2742"]["epsilon_pflop"].get<double>(), 66070, 660);
  EXPECT_NEAR(json["systems"]["Si-2742"]["sigma_pflop"].get<double>(), 260.7, 2.6);
  EXPECT_EQ(json["systems"]["Si-2742"]["published"]["sigma_pflop"], 260.7);
}

/// A card of 80 GB can hold a state of Si-510, but not of Si-998.
TEST(Plan, NamesTheFewestGpus) {
  EXPECT_EQ(fewest_gpus(system_called("Si-510"), 79e9), 1);
  EXPECT_EQ(fewest_gpus(system_called("Si-998"), 79e9), 2);
  EXPECT_EQ(fewest_gpus(system_called("SiC-998"), 79e9), 11) << "791 GB are published";
}

TEST(Plan, TakesThePublishedSpeedWhereNoneIsNamed) {
  const Machine machine = machine_of({});
  for (const PublishedRun& run : published_runs())
    EXPECT_LT(plan_of(system_called(run.system), run.spread, machine).seconds(), run.compute_s);
  EXPECT_NEAR(machine.terms_per_s * 80.7, 4.09e12, 0.01e12) << "3.9 TFLOP/s a GPU, it says";
}

TEST(Plan, UnknownSystemsAndTooFewGpusAreRefused) {
  EXPECT_THROW(system_called("Si-8"), roofline::InputError);
  EXPECT_THROW(plan_of(systems()[0], {1, 2, 2}, {1e12, 0, ""}), roofline::InputError);
}

// ---- The partition: every band and every G' belongs to one rank, and a rank's part is that of the
// whole.

const Preset& preset_called(const char* name) { return *find_preset(name); }

TEST(Partition, EveryBandAndEveryGBelongsToOneRank) {
  const Preset& preset = preset_called("tiny");
  for (const int ranks : {1, 2, 3, 5, 7, 20}) {
    std::set<int> bands, own_g;
    for (int rank = 0; rank < ranks; ++rank) {
      const Preset part = part_of(preset, rank, ranks, 0);
      for (int i = 0; i < part.ntband_dist; ++i)
        EXPECT_TRUE(bands.insert(part.first_band + i).second);
      for (int i = 0; i < part.ngpown; ++i)
        EXPECT_TRUE(own_g.insert(part.first_own_g + i * part.g_ranks).second);
    }
    EXPECT_EQ(bands.size(), static_cast<std::size_t>(preset.sig_ntband)) << ranks;
    EXPECT_EQ(own_g.size(), static_cast<std::size_t>(preset.ncouls)) << ranks;
    EXPECT_EQ(*bands.rbegin(), preset.sig_ntband - 1);
    EXPECT_EQ(*own_g.rbegin(), preset.ncouls - 1);
  }
}

TEST(Partition, MoreRanksThanBandsOrGAreRefused) {
  EXPECT_NO_THROW(part_of(preset_called("tiny"), 0, 20, 0));
  EXPECT_THROW(part_of(preset_called("tiny"), 0, 21, 0), roofline::InputError);
  Preset many_bands = preset_called("tiny");
  many_bands.sig_ntband = 100;
  EXPECT_THROW(part_of(many_bands, 0, 28, 0), roofline::InputError);
}

/// A rank generates exactly its part of the whole.
TEST(Partition, PartsAreThoseOfTheWhole) {
  for (const char* name : {"tiny", "offdiagonal"}) {
    const Preset& preset = preset_called(name);
    const Input whole = generate(whole_of(preset), 3, false);
    for (int rank = 0; rank < 3; ++rank) {
      const Preset preset_of_part = part_of(preset, rank, 3, 0);
      const Input part = generate(preset_of_part, 3, false);
      const auto rows = static_cast<std::size_t>(whole.ncouls);
      for (std::size_t igp = 0; igp < static_cast<std::size_t>(part.ngpown); ++igp)
        for (std::size_t ig = 0; ig < rows; ++ig) {
          const std::size_t there = ig + rows * (static_cast<std::size_t>(rank) + 3 * igp);
          ASSERT_EQ(part.wtilde_array[ig + rows * igp].re, whole.wtilde_array[there].re);
          ASSERT_EQ(part.I_eps_array[ig + rows * igp].im, whole.I_eps_array[there].im);
        }
      const auto first = static_cast<std::size_t>(preset_of_part.first_band);
      for (std::size_t i = 0; i < part.aqsntemp.size(); ++i) {
        ASSERT_EQ(part.aqsntemp[i].re, whole.aqsntemp[rows * first + i].re);
        ASSERT_EQ(part.aqsmtemp[i].im, whole.aqsmtemp[rows * first + i].im);
      }
    }
  }
}

TEST(Partition, StatesDifferAndTheirElementsAreTheSameAlone) {
  const Preset& preset = preset_called("tiny");
  const Input zero = generate(part_of(preset, 1, 2, 0), 1, false);
  const Preset part = part_of(preset, 1, 2, 4);
  const Input four = generate(part, 1, false);
  EXPECT_DOUBLE_EQ(four.e_lk - zero.e_lk, 4 * state_distance);
  EXPECT_NE(four.aqsntemp[0].re, zero.aqsntemp[0].re);
  EXPECT_EQ(four.wtilde_array[5].re, zero.wtilde_array[5].re);
  const MatrixElements alone = generate_elements(part, 1);
  ASSERT_EQ(alone.aqsntemp.size(), four.aqsntemp.size());
  for (std::size_t i = 0; i < alone.aqsntemp.size(); ++i)
    ASSERT_EQ(alone.aqsntemp[i].re, four.aqsntemp[i].re);
}

/// The second of eight ranks in the calculation of gpp214.
TEST(Partition, TheSecondRankOfGpp214HasThePresetOfItsName) {
  const Preset& second = preset_called("gpp214_rank2");
  const Preset part = part_of(preset_called("gpp214"), 1, 8, 0);
  EXPECT_EQ(second.ngpown, part.ngpown);
  EXPECT_EQ(second.first_own_g, part.first_own_g);
  EXPECT_EQ(second.ntband_dist, part.ntband_dist);
  EXPECT_EQ(second.first_band, part.first_band);
  EXPECT_EQ(second.ntband_dist, 800);
}

TEST(Partition, StatesAreDealtToPools) {
  EXPECT_EQ(states_of(5, 0, 2), (std::vector<int>{0, 2, 4}));
  EXPECT_EQ(states_of(5, 1, 2), (std::vector<int>{1, 3}));
  EXPECT_TRUE(states_of(1, 1, 2).empty());
}

/// Del Ben et al. 2020: 6.19 GB for a state of Si-214, of which 2.27 move: aqsn, aqsm apart.
TEST(Partition, PredictedMemoryIsThePublishedOne) {
  const Memory one = predict_memory(preset_called("gpp214"), 1, 1, true);
  EXPECT_NEAR(1e-9 * static_cast<double>(one.poles + 2 * one.own), 6.19, 0.005);
  EXPECT_NEAR(1e-9 * static_cast<double>(2 * one.own), 2.27, 0.005);
  EXPECT_EQ(one.passing, 0) << "nothing passes a single rank";
  const Memory eight = predict_memory(preset_called("gpp214"), 8, 1, false);
  EXPECT_EQ(eight.passing, 2 * eight.own);
  EXPECT_EQ(predict_memory(preset_called("gpp214"), 8, 1, true).passing, one.own);
  EXPECT_LT(8 * eight.own, one.own + 8 * 16 * 11075 + 1);
}

// ---- Scaling over ranks: launchers, the sums of several runs, the record.

TEST(Launcher, IsWordsAndNoShell) {
  EXPECT_EQ(launcher_words("mpirun -n {ranks} --host a:{ranks}", 4),
            (std::vector<std::string>{"mpirun", "-n", "4", "--host", "a:4"}));
  EXPECT_EQ(launcher_words("srun -n{ranks} $(rm x)", 2)[2], "$(rm");
  EXPECT_THROW(launcher_words("mpirun -n 2", 2), roofline::InputError);
  EXPECT_THROW(launcher_words("", 2), roofline::InputError);
}

StudyRecord run_of(int ranks, double asx) {
  StudyRecord run;
  run.scaling.emplace();
  run.scaling->ranks = ranks;
  run.scaling->sums = Json({{"asx", {{{asx, 1.0}}}}, {"ach", {{{2.0, 1e-9}}}}});
  return run;
}

TEST(Sums, OfAllNumbersOfRanksAreTheSame) {
  Result result;
  result.status = Status::passed;
  result.check.tolerance = 1e-10;
  compare_sums({run_of(1, 3.0), run_of(2, 3.0 * (1 + 1e-12))}, result);
  EXPECT_EQ(result.status, Status::passed) << result.reason;
  compare_sums({run_of(1, 3.0), run_of(2, 3.0 * (1 + 1e-9))}, result);
  EXPECT_EQ(result.status, Status::failed);
  EXPECT_TRUE(test::contains(result.reason, "asx of 2 ranks"));
}

ScalingRecord sample() {
  ScalingRecord scaling;
  scaling.ranks = 2;
  scaling.exchange = "ring";
  scaling.transport = "MPI";
  scaling.sample = {3, 17};
  scaling.sums = Json({{"asx", {{{1.0, 2.0}}}}, {"ach", {{{3.0, 4.0}}}}});
  scaling.steps = {{1.0, 1.2, 1, 0.5, 0.3, 0.1, 0.8}, {1.0, 1.1, 0, 0, 0, 0, 1}};
  scaling.by_rank = {{"a", "cpu", 1, 14, 10, 100, 120, 0.9}, {"b", "cpu", 1, 13, 10, 100, 90, 0.8}};
  scaling.strong = {{1, 1, {4.0, 4.2, 4.1}, 0, "none: one rank"},
                    {2, 1, {2.0, 2.1, 2.2}, 0.02, "MPI"}};
  scaling.weak = {{1, 1, {4.0}, 0, "MPI"}, {2, 2, {4.4}, 0.01, "MPI"}};
  return scaling;
}

nlohmann::json as_read(const Json& json) { return nlohmann::json::parse(json.dump()); }

TEST(ScalingRecord, ComesBackAsItWas) {
  const Json written = to_json(sample());
  EXPECT_NEAR(written["strong"][1]["speedup"].get<double>(), 4.1 / 2.1, 1e-12);
  EXPECT_NEAR(written["strong"][1]["efficiency"].get<double>(), 4.1 / 4.2, 1e-12);
  EXPECT_EQ(written["strong"][1]["ranks"], 2);
  EXPECT_NEAR(written["strong"][1]["seconds"].get<double>(), 2.1, 1e-12);
  EXPECT_NEAR(written["weak"][1]["efficiency"].get<double>(), 4.0 / 4.4, 1e-12);
  const nlohmann::json json = as_read(written);
  EXPECT_EQ(to_json(roofline::read_facts<ScalingRecord>({json, "scaling", "test"})).dump(),
            written.dump());
}

/// Contradictory numbers are refused, with their place.
TEST(ScalingRecord, InventedNumbersAreRefused) {
  const auto expect_refused = [](const char* pointer, const nlohmann::json& value) {
    nlohmann::json json = as_read(to_json(sample()));
    json[nlohmann::json::json_pointer(pointer)] = value;
    EXPECT_THROW(roofline::read_facts<ScalingRecord>({json, "scaling", "test"}),
                 roofline::InputError)
        << pointer;
  };
  expect_refused("/strong/1/ranks", 1);
  expect_refused("/strong/1/samples", nlohmann::json::array());
  expect_refused("/weak/1/wait", 1.1);
  expect_refused("/ranks", 3);
  expect_refused("/pools", 0);
  expect_refused("/by_rank/0/busy", 1.5);
  expect_refused("/steps/0/overlap", -1);
  expect_refused("/sample/0", 0);
  expect_refused("/exchange", "<script>");
  expect_refused("/sums/asx/0/0", "text");
}

}  // namespace
}  // namespace gpp::scale
