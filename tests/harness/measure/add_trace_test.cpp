// Counts of an instrumented build stand beside those of the hardware or of the source.
#include <gtest/gtest.h>

#include "harness/measure/traced.h"

namespace gpp {
namespace {

TracedCount traced(roofline::Metrics metrics) {
  TracedCount count;
  count.metrics = std::move(metrics);
  count.part = "2 of 402 G'";
  return count;
}

roofline::Counted counted_by(roofline::CountedBy source, roofline::Metrics metrics) {
  roofline::Counted counted;
  counted.source = source;
  counted.metrics = std::move(metrics);
  return counted;
}

TEST(AddTrace, ALineThatStatesOtherOperationsIsADefect) {
  using enum roofline::CountedBy;
  Result result;
  for (const double did : {0.55e9, 1e9, 1.9e9}) {
    roofline::Counted counted = counted_by(analytic, {{"fp64_flop", 1e9}});
    add_trace(traced({{"fp64_flop", did}}), result, counted);
    EXPECT_TRUE(counted.defects.empty()) << did;
    EXPECT_EQ(counted.metrics.at("fp64_flop"), 1e9) << "the source's stay";
    EXPECT_EQ(counted.metrics.at("traced_flop"), did);
  }
  for (const double did : {0.45e9, 2.1e9}) {
    roofline::Counted counted = counted_by(analytic, {{"fp64_flop", 1e9}});
    add_trace(traced({{"fp64_flop", did}}), result, counted);
    ASSERT_EQ(counted.defects.size(), 1u) << did;
    EXPECT_NE(counted.defects.front().find("correct the line"), std::string::npos);
  }
}

TEST(AddTrace, WhatHardwareCountedStays) {
  Result result;
  roofline::Counted counted =
      counted_by(roofline::CountedBy::likwid, {{"fp64_flop", 1e9}, {"l2_bytes", 5}});
  add_trace(traced({{"fp64_flop", 9e9}, {"l2_bytes", 7}, {"l3_bytes", 7}, {"divisions", 3}}),
            result, counted);
  EXPECT_EQ(counted.metrics.at("fp64_flop"), 1e9);
  EXPECT_EQ(counted.metrics.at("l2_bytes"), 5);
  EXPECT_FALSE(counted.metrics.contains("l3_bytes")) << "no mixture of the two";
  EXPECT_EQ(counted.metrics.at("divisions"), 3) << "which no hardware counts";
  EXPECT_TRUE(counted.defects.empty());
  EXPECT_EQ(counted.source, roofline::CountedBy::likwid);
}

TEST(AddTrace, AVariantWithoutALineHasTheTracedOperations) {
  Result result;
  roofline::Counted counted = counted_by(roofline::CountedBy::nobody, {});
  add_trace(traced({{"fp64_flop", 3e9}, {"l1_bytes", 8}}), result, counted);
  EXPECT_EQ(counted.metrics.at("fp64_flop"), 3e9);
  EXPECT_EQ(counted.metrics.at("l1_bytes"), 8);
  EXPECT_EQ(counted.source, roofline::CountedBy::analytic);
}

TEST(AddTrace, WhatCouldNotBeTracedChangesNothingAndSaysWhy) {
  Result result;
  roofline::Counted counted = counted_by(roofline::CountedBy::nobody, {});
  TracedCount nothing = traced({{"fp64_flop", 3e9}});
  nothing.reason = "its instrumented build is wrong";
  add_trace(nothing, result, counted);
  EXPECT_TRUE(counted.metrics.empty());
  EXPECT_EQ(counted.source, roofline::CountedBy::nobody);
  EXPECT_EQ(result.trace.reason, "its instrumented build is wrong");
}

}  // namespace
}  // namespace gpp
