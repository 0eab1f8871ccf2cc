// Times that no device can have taken.
#include "harness/record/derive.h"

#include <gtest/gtest.h>

#include "tests/roofline/sample_chart.h"

namespace gpp {
namespace {

constexpr double gpp214_triples = 800.0 * 1385 * 11075;

/// Eight operations each.
LeastWork triples(double count) { return {8 * count, "fp64", "these triples take time"}; }

roofline::Ceilings with_roofs(const char* kind, std::vector<roofline::Ceiling> list) {
  return {"a device", kind, "", "", 1, std::move(list)};
}

roofline::Ceiling compute(const char* name, double measured) {
  return {name, name, roofline::CeilingKind::compute, measured, std::nullopt, 0, "", {}};
}

TEST(Possible, TheHighestRoofOfThePrecisionCounts) {
  const auto host = with_roofs(
      "host", {compute("fp64_no_fma", 5e10), compute("fp64_fma", 1e11), compute("fp32_fma", 2e11)});
  EXPECT_DOUBLE_EQ(speed_limit("host", 2, &host).flop_per_s, 1.1e11);
  EXPECT_DOUBLE_EQ(speed_limit("host", 2, &host, "fp32").flop_per_s, 2.2e11);
  const auto tensor =
      with_roofs("gpu", {compute("fp64_fma", 3e13), compute("fp64_tensor", 6.5e13)});
  EXPECT_DOUBLE_EQ(speed_limit("gpu", 132, &tensor).flop_per_s, 1.1 * 6.5e13);
  const auto without = with_roofs("gpu", {compute("fp64_fma", 3e13)});
  EXPECT_DOUBLE_EQ(speed_limit("gpu", 132, &without).flop_per_s, 2.2 * 3e13);
}

/// Nor is a roof above it believed.
TEST(Possible, UnknownRoofsAreBoundedByAnyHardware) {
  EXPECT_DOUBLE_EQ(speed_limit("host", 2, nullptr).flop_per_s, 2 * 6e9 * 32);
  EXPECT_DOUBLE_EQ(speed_limit("host", 2, nullptr, "fp32").flop_per_s, 2 * 6e9 * 64);
  EXPECT_DOUBLE_EQ(speed_limit("gpu", 132, nullptr).flop_per_s, 132 * 3e9 * 512);
  const auto host = with_roofs("host", {compute("fp64_fma", 1e18)});
  EXPECT_DOUBLE_EQ(speed_limit("host", 2, &host).flop_per_s, 2 * 6e9 * 32);
  EXPECT_DOUBLE_EQ(speed_limit("host", 0, &host).flop_per_s, 1.1e18) << "cores not known";
  EXPECT_EQ(speed_limit("host", 0, nullptr).flop_per_s, 0);
  EXPECT_FALSE(impossible(triples(1e18), 1e-9, speed_limit("gpu", 0, nullptr)).has_value());
}

TEST(Possible, TheLeastWorkTakesTime) {
  const roofline::Ceilings gpu = roofline::test::large_gpu();
  const SpeedLimit limit = speed_limit("gpu", 132, &gpu);
  EXPECT_FALSE(impossible(triples(gpp214_triples), 24.7e-3, limit).has_value()) << "an H200, v12";
  const double least = 8 * gpp214_triples / limit.flop_per_s;
  EXPECT_FALSE(impossible(triples(gpp214_triples), least * 1.001, limit).has_value());
  const auto why = impossible(triples(gpp214_triples), least * 0.999, limit);
  ASSERT_TRUE(why.has_value());
  EXPECT_NE(why->find("impossible"), std::string::npos) << *why;
  EXPECT_NE(why->find(limit.source), std::string::npos) << *why;
}

}  // namespace
}  // namespace gpp
