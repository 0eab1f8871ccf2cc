// Tests of a run's limit, which is never a distant roof, and of advice.
#include "roofline/advice.h"

#include <gtest/gtest.h>
#include <algorithm>

#include "tests/text.h"

namespace roofline {
namespace {

RooflinePoint point_at(double percent_of_roof, const std::string& nearest,
                       const std::string& precision = "fp64") {
  RooflinePoint point;
  point.precision = precision;
  point.percent_of_roof = percent_of_roof;
  point.bound_by = nearest;
  return point;
}

/// Metrics of accesses with that many transactions each.
RooflinePoint access_of(const std::string& model, double transactions) {
  RooflinePoint point = point_at(10, "compute", model);
  LevelPoint level;
  level.level = model == "global_access" ? "global" : "shared";
  level.intensity = 1 / transactions;
  point.levels = {level};
  return point;
}

const Metrics waits_for_memory = {{"fp64_pipe", 41.7},
                                  {"stall_long_scoreboard", 5.624},
                                  {"stall_not_selected", 9},
                                  {"stall_selected", 10},
                                  {"stall_wait", 3.3}};

/// The sample metrics with one change.
Metrics but(const std::string& name, double value) {
  Metrics metrics = waits_for_memory;
  metrics[name] = value;
  return metrics;
}

/// The limit and its second cause: "roof compute, also latency wait".
std::string told(const Advice& advice) {
  const auto words = [](const Cause& cause) {
    return std::string(name_of(cause.binding)) + " " + cause.name;
  };
  return words(advice.cause) + (advice.also ? ", also " + words(*advice.also) : "");
}

struct Case {
  double percent_of_roof;
  const char* nearest;
  Metrics metrics;
  std::vector<RooflinePoint> instructions = {};
  const char* precision = "fp64";
};

const std::vector<RooflinePoint> scattered = {access_of("global_access", 32),
                                              access_of("shared_access", 16.5)},
                                 issuing = {point_at(71, "compute", "instructions")};
const Metrics pipes = {{"fp64_pipe", 90}, {"fp32_pipe", 60}, {"stall_wait", 1}};

/// On both sides of each limit: half of a roof, a pipe that is used up, a second stall as large as
/// the first, 16 B a thread side by side, a transpose with loads of 4 sectors and stores of 32.
const Case cases[] = {
    {26.5, "compute", waits_for_memory},
    {49.9, "l1", waits_for_memory},
    {50, "compute", waits_for_memory},
    {26.5, "compute", but("stall_wait", 4.49)},
    {26.5, "compute", but("stall_wait", 4.5)},
    {37.7, "compute", but("fp64_pipe", 60.3)},
    {37.7, "compute", but("fp64_pipe", 80)},
    {46.7, "dram", but("fp64_pipe", 71.8)},
    {60, "compute", but("fp64_pipe", 80)},
    {60, "dram", but("fp64_pipe", 80)},
    {80, "dram", but("fp64_pipe", 80)},
    {61, "compute", {{"fp64_pipe", 75}, {"stall_math_pipe_throttle", 2}}},
    {40, "compute", pipes, {}, "fp32"},
    {40, "compute", pipes, {}, "fp16"},
    {20, "dram", waits_for_memory, scattered},
    {20, "dram", waits_for_memory, {access_of("global_access", 18)}},
    {20, "dram", waits_for_memory, {access_of("global_access", 16)}},
    {20, "dram", {{"stall_wait", 3}}, scattered},
    {20, "dram", {{"stall_mio_throttle", 3}}, scattered},
    {20, "dram", {{"stall_short_scoreboard", 3}}, {access_of("shared_access", 4)}},
    {90, "dram", {}, scattered},
    {90, "compute", {}, scattered},
    {10, "compute", {{"stall_wait", 2}}, issuing},
    {51, "dram", {{"stall_wait", 2}}, issuing},
    {12, "compute", {{"stall_of_the_future", 3}}},
    {25.1, "compute", {{"stall_wait", 0}, {"stall_selected", 3}}},
    {80, "dram", {}},
    {12, "compute", {}},
    {12, "compute", {{"scalar_fraction", 0.94}}},
    {12, "compute", {{"scalar_fraction", 0.9}, {"division_time", 0.6}}},
    {12, "compute", {{"scalar_fraction", 0.02}, {"division_time", 0.3}}},
    {50, "compute", {{"scalar_fraction", 1}}}};

TEST(Advice, AndVerdictAreThoseThatAreKept) {
  std::string text;
  for (const Case& one : cases) {
    const RooflinePoint point = point_at(one.percent_of_roof, one.nearest, one.precision);
    Facts facts;
    facts.point = &point;
    facts.metrics = &one.metrics;
    facts.instructions = &one.instructions;
    const Advice advice = advice_of(facts);
    text += told(advice) + "\n  " + verdict(point, one.metrics).text() + "; " +
            cause_text(advice.cause) + "\n";
    if (!advice.next.empty()) text += "  " + advice.next.substr(0, 60) + "\n";
  }
  gpp::test::expect_kept("roofline/advice.txt", text);
}

TEST(Advice, WithoutAPointIsThatOfInstructions) {
  const Metrics metrics = {{"stall_wait", 2}}, none;
  Facts facts;
  facts.metrics = &metrics;
  facts.instructions = &issuing;
  EXPECT_EQ(told(advice_of(facts)), "roof issue, also latency wait");
  facts = {};
  facts.metrics = &none;
  EXPECT_EQ(advice_of(facts).cause.binding, Binding::unknown);
}

TEST(Advice, LaunchesBindWhereTheyTakeHalfOfTheTime) {
  const std::string stalled = "latency long_scoreboard";
  const RooflinePoint far = point_at(3, "compute");
  Facts facts;
  facts.point = &far;
  facts.metrics = &waits_for_memory;
  facts.seconds = 20e-6;
  facts.launches = 5;
  EXPECT_EQ(told(advice_of(facts)), stalled) << "no cost was measured";
  facts.launch_cost = LaunchCost{2e-6, 2e-6, 2e-6, ""};
  EXPECT_EQ(told(advice_of(facts)), "launch launch, also " + stalled);
  EXPECT_EQ(advice_of(facts).cause.evidence, "5 launches take 50% of the time");
  facts.launches = 4;
  EXPECT_EQ(told(advice_of(facts)), stalled);
}

TEST(Advice, TheTableKnowsEveryCauseThatCanBeTold) {
  for (const Metric& metric : metric_table())
    if (metric.name.starts_with("stall_") && metric.name != "stall_selected" &&
        metric.name != "stall_not_selected") {
      EXPECT_NE(find_advice(metric.name.substr(6)), nullptr) << metric.name;
    }
  for (const char* cause :
       {"compute", "l1", "shared", "l2", "l3", "dram", "latency", "scalar code", "division",
        "no roof near", "issue", "global_scattered", "shared_one_bank", "launch"})
    EXPECT_NE(find_advice(cause), nullptr) << cause;
}

}  // namespace
}  // namespace roofline
