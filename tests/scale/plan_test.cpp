// The plan of the published systems: operations, memory and communication as published.
#include "gpp/scale/plan.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <set>

#include "roofline/base/error.h"

namespace gpp::scale {
namespace {

TEST(Plan, OperationsAreThePublishedOnesWithinAPercent) {
  ASSERT_EQ(systems().size(), 5U);
  for (const System& system : systems()) {
    const System::Needs ours = needs_of(system);
    // Published numbers have two or three digits: half of the last one is allowed.
    EXPECT_NEAR(ours.epsilon_pflop / system.published.epsilon_pflop, 1, 0.0101) << system.name;
    EXPECT_NEAR(ours.sigma_pflop / system.published.sigma_pflop, 1, 0.01) << system.name;
    EXPECT_NEAR(ours.epsilon_memory_tb / system.published.epsilon_memory_tb, 1, 0.01)
        << system.name;
    EXPECT_NEAR(ours.epsilon_comm_gb / system.published.epsilon_comm_gb, 1, 0.01) << system.name;
    EXPECT_NEAR(ours.sigma_comm_gb / system.published.sigma_comm_gb, 1, 0.01) << system.name;
    // 34.3 GB of Si-510 are not the sum of its own two parts, 22.5 and 12.8.
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
  // Seven of eight blocks pass; a step hides its own length of each.
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

TEST(Plan, UnknownSystemsAndTooFewGpusAreRefused) {
  EXPECT_THROW(system_called("Si-8"), roofline::InputError);
  EXPECT_THROW(plan_of(systems()[0], {1, 2, 2}, {1e12, 0, ""}), roofline::InputError);
}

}  // namespace
}  // namespace gpp::scale
