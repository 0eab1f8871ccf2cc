// What holds a run back, which is never a roof that is far away, and what to look at next.
#include "roofline/advice.h"

#include <gtest/gtest.h>
#include <algorithm>
#include <nlohmann/json.hpp>

#include "roofline/base/error.h"
#include "roofline/models/advice_table.h"
#include "roofline/verdict.h"

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

/// Metrics of accesses that take so many transactions each.
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

Advice advice_on(const RooflinePoint& point, const Metrics& metrics,
                 const std::vector<RooflinePoint>& instructions = {}) {
  Facts facts;
  facts.point = &point;
  facts.metrics = &metrics;
  facts.instructions = &instructions;
  return advice_of(facts);
}

TEST(Advice, FarFromRoofsTheTopStallBindsAndSaysWhereToLook) {
  const Advice advice = advice_on(point_at(26.5, "compute"), waits_for_memory);
  EXPECT_EQ(advice.cause.binding, Binding::latency);
  EXPECT_EQ(advice.cause.name, "long_scoreboard");
  EXPECT_EQ(advice.cause.evidence, "5.62 warps per issue");
  EXPECT_FALSE(advice.also) << "wait comes to six tenths of it";
  EXPECT_NE(advice.next.find("blocking"), std::string::npos) << advice.next;
  EXPECT_NE(advice.source.find("stall reasons"), std::string::npos) << advice.source;
  EXPECT_EQ(cause_text(advice.cause),
            "latency: data from memory (long_scoreboard, 5.62 warps per issue)");
}

TEST(Advice, TwoStallsOfOneSizeAreBothTold) {
  Metrics metrics = waits_for_memory;
  metrics["stall_wait"] = 4.5;
  const Advice advice = advice_on(point_at(26.5, "compute"), metrics);
  EXPECT_EQ(advice.cause.name, "long_scoreboard");
  ASSERT_TRUE(advice.also);
  EXPECT_EQ(advice.also->name, "wait") << "which is 0.8002 of the top one";
  metrics["stall_wait"] = 4.49;
  EXPECT_FALSE(advice_on(point_at(26.5, "compute"), metrics).also);
}

TEST(Advice, BesideARoofThatIsNotUsedUpTheTopStallIsTold) {
  Metrics metrics = waits_for_memory;
  metrics["fp64_pipe"] = 60.3;
  const Advice busy = advice_on(point_at(37.7, "compute"), metrics);
  EXPECT_EQ(busy.cause.binding, Binding::roof);
  EXPECT_EQ(busy.cause.name, "compute");
  EXPECT_EQ(busy.cause.evidence, "FP64 pipe 60%");
  ASSERT_TRUE(busy.also);
  EXPECT_EQ(busy.also->name, "long_scoreboard");
  metrics["fp64_pipe"] = 80;
  EXPECT_FALSE(advice_on(point_at(37.7, "compute"), metrics).also) << "the pipe is used up";
  EXPECT_FALSE(advice_on(point_at(60, "compute"), metrics).also) << "and with it the roof";
  EXPECT_TRUE(advice_on(point_at(60, "dram"), metrics).also) << "which is another roof";
  EXPECT_FALSE(advice_on(point_at(80, "dram"), metrics).also);
}

TEST(Advice, AThrottledPipeIsTheRoofItself) {
  const Metrics metrics = {{"fp64_pipe", 75}, {"stall_math_pipe_throttle", 2}, {"stall_wait", 1.9}};
  EXPECT_FALSE(advice_on(point_at(61, "compute"), metrics).also);
}

TEST(Advice, ScatteredAccessIsAWallAndWideAccessIsNone) {
  const RooflinePoint far = point_at(20, "dram");
  const Advice wall = advice_on(far, waits_for_memory, {access_of("global_access", 32)});
  EXPECT_EQ(wall.cause.binding, Binding::wall);
  EXPECT_EQ(wall.cause.name, "global_scattered");
  EXPECT_EQ(wall.cause.evidence, "32 sectors per load or store");
  ASSERT_TRUE(wall.also);
  EXPECT_EQ(wall.also->name, "long_scoreboard") << "the stall that the wall explains";
  EXPECT_EQ(advice_on(far, waits_for_memory, {access_of("global_access", 16)}).cause.name,
            "long_scoreboard")
      << "16 B a thread side by side take 16 sectors";
  EXPECT_EQ(advice_on(far, waits_for_memory, {access_of("global_access", 18)}).cause.name,
            "global_scattered")
      << "a transpose: loads of 4 sectors, stores of 32";
}

TEST(Advice, OnlyWhatWaitsForAMemoryStandsAtItsWall) {
  const std::vector<RooflinePoint> both = {access_of("global_access", 32),
                                           access_of("shared_access", 16.5)};
  const RooflinePoint far = point_at(20, "dram");
  EXPECT_EQ(advice_on(far, {{"stall_wait", 3}}, both).cause.name, "wait");
  const Advice banks = advice_on(far, {{"stall_mio_throttle", 3}}, both);
  EXPECT_EQ(banks.cause.name, "shared_one_bank");
  EXPECT_EQ(banks.cause.evidence, "16.5 passes per access");
  EXPECT_EQ(advice_on(point_at(90, "dram"), {}, both).cause.name, "global_scattered")
      << "bytes that nobody asked for";
  EXPECT_EQ(advice_on(point_at(90, "compute"), {}, both).cause.name, "compute");
  EXPECT_EQ(
      advice_on(far, {{"stall_short_scoreboard", 3}}, {access_of("shared_access", 4)}).cause.name,
      "short_scoreboard")
      << "16 B a thread take four passes";
}

TEST(Advice, InstructionsTellOfTheRoofWhereNoWorkIsCountedOrItsRoofsAreFar) {
  const std::vector<RooflinePoint> issuing = {point_at(71, "compute", "instructions")};
  Facts facts;
  const Metrics metrics = {{"stall_wait", 2}};
  facts.metrics = &metrics;
  facts.instructions = &issuing;
  const Advice integers = advice_of(facts);
  EXPECT_EQ(integers.cause.name, "issue");
  EXPECT_EQ(integers.cause.binding, Binding::roof);
  ASSERT_TRUE(integers.also);
  EXPECT_EQ(integers.also->name, "wait");
  EXPECT_EQ(advice_on(point_at(10, "compute"), metrics, issuing).cause.name, "issue");
  EXPECT_EQ(advice_on(point_at(51, "dram"), metrics, issuing).cause.name, "dram");
}

TEST(Advice, LaunchesBindWhereTheyTakeHalfOfTheTime) {
  const RooflinePoint far = point_at(3, "compute");
  Facts facts;
  facts.point = &far;
  facts.metrics = &waits_for_memory;
  facts.seconds = 20e-6;
  facts.launches = 5;
  EXPECT_EQ(advice_of(facts).cause.name, "long_scoreboard") << "no cost was measured";
  facts.launch_cost = LaunchCost{2e-6, 2e-6, 2e-6, ""};
  const Advice launched = advice_of(facts);
  EXPECT_EQ(launched.cause.binding, Binding::launch);
  EXPECT_EQ(launched.cause.evidence, "5 launches take 50% of the time");
  ASSERT_TRUE(launched.also);
  EXPECT_EQ(launched.also->name, "long_scoreboard");
  facts.launches = 4;
  EXPECT_EQ(advice_of(facts).cause.name, "long_scoreboard");
}

TEST(Advice, AHostIsToldOfItsCode) {
  const RooflinePoint far = point_at(12, "compute");
  const Advice scalar = advice_on(far, {{"scalar_fraction", 0.94}});
  EXPECT_EQ(scalar.cause.binding, Binding::code);
  EXPECT_EQ(scalar.cause.name, "scalar code");
  EXPECT_NE(scalar.next.find("vectors"), std::string::npos);
  EXPECT_EQ(advice_on(far, {{"scalar_fraction", 0.9}, {"division_time", 0.6}}).cause.name,
            "division");
  const Advice latency = advice_on(far, {{"scalar_fraction", 0.1}});
  EXPECT_EQ(latency.cause.binding, Binding::latency);
  EXPECT_EQ(latency.cause.name, "latency");
}

TEST(Advice, WhatIsNotKnownIsSaid) {
  const Advice nothing = advice_on(point_at(12, "compute"), {});
  EXPECT_EQ(nothing.cause.binding, Binding::unknown);
  EXPECT_FALSE(nothing.next.empty()) << "what would tell";
  const Metrics none;
  Facts facts;
  facts.metrics = &none;
  EXPECT_EQ(advice_of(facts).cause.binding, Binding::unknown);
  const Advice future = advice_on(point_at(12, "compute"), {{"stall_of_the_future", 3}});
  EXPECT_EQ(future.cause.name, "of_the_future");
  EXPECT_EQ(future.next, "");
  EXPECT_EQ(cause_text(future.cause), "latency: of_the_future (3 warps per issue)");
}

TEST(Advice, TheTableKnowsEveryCauseThatCanBeTold) {
  for (const Metric& metric : metric_table())
    if (metric.name.starts_with("stall_") && metric.name != "stall_selected" &&
        metric.name != "stall_not_selected") {
      EXPECT_NE(find_advice(metric.name.substr(6)), nullptr) << metric.name;
    }
  for (const char* device : {"gpu", "host"})
    for (const std::string& word : verdict_words(device))
      if (word != "latency" || std::string(device) == "host") {
        EXPECT_NE(find_advice(word), nullptr) << device << ", " << word;
      }
  for (const char* cause : {"issue", "global_scattered", "shared_one_bank", "launch"})
    EXPECT_NE(find_advice(cause), nullptr) << cause;
}

TEST(Advice, JsonHoldsBothCausesAndTheNextStep) {
  const Advice advice =
      advice_on(point_at(20, "dram"), waits_for_memory, {access_of("global_access", 32)});
  const auto json = advice_json(advice);
  EXPECT_EQ(json["binds"], "wall");
  EXPECT_EQ(json["cause"], "global_scattered");
  EXPECT_EQ(json["title"], "scattered access to global memory");
  EXPECT_EQ(json["also"]["binds"], "latency");
  EXPECT_EQ(json["also"]["cause"], "long_scoreboard");
  EXPECT_EQ(json["next"], advice.next);
  EXPECT_EQ(json["source"], "Ding and Williams 2019");
  EXPECT_TRUE(advice_json(advice_on(point_at(90, "dram"), {}))["also"].is_null());
}

TEST(Verdict, AQuarterOfTheRoofIsLatencyWithTheStallThatShowsIt) {
  const Verdict far = verdict(point_at(26.5, "compute"), waits_for_memory);
  EXPECT_EQ(far.by, "latency");
  EXPECT_EQ(far.evidence, "long_scoreboard 5.62 per issue");
  EXPECT_EQ(far.text(), "latency (long_scoreboard 5.62 per issue)");
  EXPECT_EQ(verdict(point_at(25.3, "l2"), waits_for_memory).by, "latency");
}

TEST(Verdict, HalfOfARoofIsNear) {
  EXPECT_EQ(verdict(point_at(50, "compute"), waits_for_memory).text(), "compute");
  EXPECT_EQ(verdict(point_at(93, "l1"), waits_for_memory).text(), "l1");
  EXPECT_EQ(verdict(point_at(49.9, "l1"), waits_for_memory).by, "latency");
}

TEST(Verdict, ABusyPipeIsComputeThoughFewOfItsInstructionsAreFused) {
  Metrics busy = waits_for_memory;
  busy["fp64_pipe"] = 71.8;
  EXPECT_EQ(verdict(point_at(46.7, "compute"), busy).text(), "compute (FP64 pipe 72%)");
  EXPECT_EQ(verdict(point_at(46.7, "dram"), busy).by, "latency") << "which is not that roof";
}

TEST(Verdict, WithoutStallsOnlyWhatIsKnownIsSaid) {
  EXPECT_EQ(verdict(point_at(25.1, "compute"), {}).text(), "no roof near (25% of compute)");
  EXPECT_EQ(verdict(point_at(80, "dram"), {}).text(), "dram");
}

TEST(Verdict, AHostsLossIsNamedByItsCause) {
  const RooflinePoint far = point_at(12, "compute");
  EXPECT_EQ(verdict(far, {{"scalar_fraction", 0.94}}).text(),
            "scalar code (94% of the numbers are worked on one by one)");
  EXPECT_EQ(verdict(far, {{"scalar_fraction", 0.94}, {"division_time", 0.61}}).text(),
            "division (61% of the time at least)")
      << "the units that divide are what the run needed";
  EXPECT_EQ(verdict(far, {{"scalar_fraction", 0.02}, {"division_time", 0.3}}).text(),
            "latency (12% of compute)");
  EXPECT_EQ(verdict(point_at(50, "compute"), {{"scalar_fraction", 1}}).by, "compute")
      << "a roof that is near comes first";
}

TEST(Verdict, SaysNothingButItsWords) {
  for (const char* device : {"host", "gpu"}) {
    const std::vector<std::string> words = verdict_words(device);
    const auto known = [&words](const std::string& by) {
      return std::find(words.begin(), words.end(), by) != words.end();
    };
    for (const char* roof : {"compute", "l1", "l2", "dram"}) {
      EXPECT_TRUE(known(verdict(point_at(80, roof), {}).by)) << device << " " << roof;
      EXPECT_TRUE(known(verdict(point_at(20, roof), {}).by)) << device << " " << roof;
    }
    EXPECT_TRUE(known("latency"));
    EXPECT_EQ(known("scalar code"), std::string(device) == "host")
        << "a GPU's threads are its lanes";
  }
}

TEST(Verdict, WarpsThatIssueOrCouldHaveDoNotWait) {
  const auto top = top_stall(waits_for_memory);
  ASSERT_TRUE(top.has_value());
  EXPECT_EQ(top->name, "long_scoreboard");
  EXPECT_EQ(top->warps_per_issue, 5.624);
  EXPECT_FALSE(top_stall({{"fp64_pipe", 40.0}, {"stall_wait", 0.0}}).has_value());
}

TEST(AdviceTable, RefusesWhatItCannotBe) {
  const std::string sound =
      "source a\n  text A\ncause x\n  title t\n  look l\n    and on\n  source a\n";
  ASSERT_EQ(read_advice_table(sound, "t").size(), 1U);
  EXPECT_EQ(read_advice_table(sound, "t").front().look, "l and on");
  EXPECT_EQ(read_advice_table(sound, "t").front().source, "A");
  for (const char* bad :
       {"cause x\n  title t\n  look l\n  source a\n", "source a\n  text A\nsource a\n  text A\n",
        "source a\n  text A\ncause x\n  title t\n  look l\n", "thing x\n  title t\n",
        "source a\n  text A\ncause x\n  title t\n  title t\n  look l\n  source a\n",
        "source a\n  text A\n  more m\n"})
    EXPECT_THROW(read_advice_table(bad, "t"), InputError) << bad;
  EXPECT_THROW(read_advice_table(sound + sound.substr(sound.find("cause")), "t"), InputError)
      << "a second cause";
}

}  // namespace
}  // namespace roofline
