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

Advice advice_on(const RooflinePoint& point, const Metrics& metrics,
                 const std::vector<RooflinePoint>& instructions = {}) {
  Facts facts;
  facts.point = &point;
  facts.metrics = &metrics;
  facts.instructions = &instructions;
  return advice_of(facts);
}

/// The limit and its second cause: "roof compute, also latency wait".
std::string told(const Advice& advice) {
  const auto words = [](const Cause& cause) {
    return std::string(name_of(cause.binding)) + " " + cause.name;
  };
  return words(advice.cause) + (advice.also ? ", also " + words(*advice.also) : "");
}
std::string told(double percent_of_roof, const char* nearest, const Metrics& metrics,
                 const std::vector<RooflinePoint>& instructions = {}) {
  return told(advice_on(point_at(percent_of_roof, nearest), metrics, instructions));
}

const std::string stalled = "latency long_scoreboard";

TEST(Advice, HasItsEvidenceAndSaysWhereToLook) {
  const Advice advice = advice_on(point_at(26.5, "compute"), waits_for_memory);
  EXPECT_TRUE(gpp::test::contains(advice.next, "blocking"));
  EXPECT_EQ(cause_text(advice.cause),
            "latency: data from memory (long_scoreboard, 5.62 warps per issue)");
  const Advice both =
      advice_on(point_at(20, "dram"), waits_for_memory, {access_of("global_access", 32)});
  EXPECT_EQ(cause_text(both.cause),
            "wall: scattered access to global memory (32 sectors per load or store)");
  const Advice future = advice_on(point_at(12, "compute"), {{"stall_of_the_future", 3}});
  EXPECT_EQ(future.next, "");
  EXPECT_EQ(cause_text(future.cause), "latency: of_the_future (3 warps per issue)");
  const Advice nothing = advice_on(point_at(12, "compute"), {});
  EXPECT_EQ(nothing.cause.binding, Binding::unknown);
  EXPECT_FALSE(nothing.next.empty()) << "what would tell";
}

TEST(Advice, TellsAlsoAStallAsLargeAsTheFirstAndTheOneBesideARoof) {
  EXPECT_EQ(told(26.5, "compute", waits_for_memory), stalled);
  EXPECT_EQ(told(26.5, "compute", but("stall_wait", 4.49)), stalled);
  EXPECT_EQ(told(26.5, "compute", but("stall_wait", 4.5)), stalled + ", also latency wait")
      << "which is 0.8002 of the top one";
  EXPECT_EQ(told(37.7, "compute", but("fp64_pipe", 60.3)), "roof compute, also " + stalled);
  EXPECT_EQ(told(37.7, "compute", but("fp64_pipe", 80)), "roof compute") << "the pipe is used up";
  EXPECT_EQ(told(60, "compute", but("fp64_pipe", 80)), "roof compute") << "and with it the roof";
  EXPECT_EQ(told(60, "dram", but("fp64_pipe", 80)), "roof dram, also " + stalled);
  EXPECT_EQ(told(80, "dram", but("fp64_pipe", 80)), "roof dram");
  EXPECT_EQ(told(61, "compute", {{"fp64_pipe", 75}, {"stall_math_pipe_throttle", 2}}),
            "roof compute")
      << "a throttled pipe is the roof itself";
}

TEST(Advice, ScatteredAccessIsAWallForWhatWaitsForThatMemory) {
  const std::vector<RooflinePoint> both = {access_of("global_access", 32),
                                           access_of("shared_access", 16.5)};
  EXPECT_EQ(told(20, "dram", waits_for_memory, both), "wall global_scattered, also " + stalled);
  EXPECT_EQ(told(20, "dram", waits_for_memory, {access_of("global_access", 18)}),
            "wall global_scattered, also " + stalled)
      << "a transpose: loads of 4 sectors, stores of 32";
  EXPECT_EQ(told(20, "dram", waits_for_memory, {access_of("global_access", 16)}), stalled)
      << "16 B a thread side by side";
  EXPECT_EQ(told(20, "dram", {{"stall_wait", 3}}, both), "latency wait");
  EXPECT_EQ(told(20, "dram", {{"stall_mio_throttle", 3}}, both),
            "wall shared_one_bank, also latency mio_throttle");
  EXPECT_EQ(told(20, "dram", {{"stall_short_scoreboard", 3}}, {access_of("shared_access", 4)}),
            "latency short_scoreboard");
  EXPECT_EQ(told(90, "dram", {}, both), "wall global_scattered, also roof dram");
  EXPECT_EQ(told(90, "compute", {}, both), "roof compute");
}

TEST(Advice, InstructionsTellOfTheRoofWhereThoseOfWorkAreFarAndAHostOfItsCode) {
  const std::vector<RooflinePoint> issuing = {point_at(71, "compute", "instructions")};
  const Metrics metrics = {{"stall_wait", 2}}, none;
  EXPECT_EQ(told(10, "compute", metrics, issuing), "roof issue, also latency wait");
  EXPECT_EQ(told(51, "dram", metrics, issuing), "roof dram, also latency wait");
  Facts facts;
  facts.metrics = &metrics;
  facts.instructions = &issuing;
  EXPECT_EQ(told(advice_of(facts)), "roof issue, also latency wait");
  facts = {};
  facts.metrics = &none;
  EXPECT_EQ(advice_of(facts).cause.binding, Binding::unknown);
  const Metrics divides = {{"scalar_fraction", 0.9}, {"division_time", 0.6}};
  EXPECT_EQ(told(12, "compute", {{"scalar_fraction", 0.94}}), "code scalar code");
  EXPECT_EQ(told(12, "compute", divides), "code division");
  EXPECT_EQ(told(12, "compute", {{"scalar_fraction", 0.1}}), "latency latency");
}

TEST(Advice, LaunchesBindWhereTheyTakeHalfOfTheTime) {
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
  using Words = std::vector<std::string>;
  const Words gpu = {"compute", "l1", "shared", "l2", "dram", "latency", "no roof near"},
              host = {"compute", "l1",          "l2",       "l3",          "dram",
                      "latency", "scalar code", "division", "no roof near"};
  EXPECT_EQ(verdict_words("gpu"), gpu);
  EXPECT_EQ(verdict_words("host"), host);
  for (const Words& words : {gpu, host})
    for (const std::string& word : words)
      if (word != "latency" || words == host) {
        EXPECT_NE(find_advice(word), nullptr) << word;
      }
  for (const char* cause : {"issue", "global_scattered", "shared_one_bank", "launch"})
    EXPECT_NE(find_advice(cause), nullptr) << cause;
}

TEST(Verdict, IsTheRoofFromHalfOfItOnOrWhatKeepsTheRunFromIt) {
  const auto text = [](double percent_of_roof, const char* roof, const Metrics& metrics) {
    return verdict(point_at(percent_of_roof, roof), metrics).text();
  };
  const std::string waiting = "latency (long_scoreboard 5.62 per issue)";
  EXPECT_EQ(text(49.9, "l1", waits_for_memory), waiting);
  EXPECT_EQ(text(50, "compute", waits_for_memory), "compute");
  EXPECT_EQ(text(46.7, "compute", but("fp64_pipe", 71.8)), "compute (FP64 pipe 72%)");
  EXPECT_EQ(text(46.7, "dram", but("fp64_pipe", 71.8)), waiting) << "which is not that roof";
  const Metrics pipes = {{"fp64_pipe", 90}, {"fp32_pipe", 60}, {"stall_wait", 1}};
  EXPECT_EQ(verdict(point_at(40, "compute", "fp32"), pipes).text(), "compute (FP32 pipe 60%)");
  EXPECT_EQ(verdict(point_at(40, "compute", "fp16"), pipes).by, "latency") << "no pipe is known";
  EXPECT_EQ(text(25.1, "compute", {{"stall_wait", 0}, {"stall_selected", 3}}),
            "no roof near (25% of compute)")
      << "warps that issue do not wait";
  EXPECT_EQ(text(80, "dram", {}), "dram");
  EXPECT_EQ(text(12, "compute", {{"scalar_fraction", 0.94}}),
            "scalar code (94% of the numbers are worked on one by one)");
  EXPECT_EQ(text(12, "compute", {{"scalar_fraction", 0.94}, {"division_time", 0.61}}),
            "division (61% of the time at least)")
      << "the units that divide are what the run needed";
  EXPECT_EQ(text(12, "compute", {{"scalar_fraction", 0.02}, {"division_time", 0.3}}),
            "latency (12% of compute)");
  EXPECT_EQ(text(50, "compute", {{"scalar_fraction", 1}}), "compute");
}

}  // namespace
}  // namespace roofline
