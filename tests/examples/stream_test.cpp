// Tests of the stream kernels: every build on awkward sizes, and faulty variants.
#include <gtest/gtest.h>

#include <algorithm>

#include "examples/stream/kernel.h"
#include "tests/examples/builds.h"

namespace gpp::stream {
namespace {

using StreamBuild = test::RunsBuild;

TEST_P(StreamBuild, IsRightForAnySizeAndPlace) {
  for (const auto& [n, lanes] :
       {std::pair{1LL, 1}, {2LL, 2}, {100LL, 7}, {1025LL, 300}, {131'072LL, 129}})
    test::expect_right(GetParam(), stream_kernel(), *make_subject("test", n, lanes, 3));
}

INSTANTIATE_TEST_SUITE_P(Catalog, StreamBuild, testing::ValuesIn(test::builds_of(catalog())),
                         test::name_of_build);

TEST(Stream, EveryVariantSaysWhatItCosts) {
  int said = 0;
  for (const Variant& variant : catalog()) {
    const auto cost = parse_cost(variant.operations);
    ASSERT_TRUE(cost) << variant.source << ": " << variant.operations;
    EXPECT_TRUE(computation_of(*cost)) << variant.source;
    ++said;
  }
  EXPECT_GE(said, 17 * 2);
}

/// One file per model holds all members.
TEST(Stream, MembersOfAFamilyAreVariants) {
  int members = 0;
  for (const Variant& variant : catalog()) {
    if (!variant.step.starts_with("sweep_")) continue;
    ++members;
    EXPECT_EQ(variant.id, variant.step);
    EXPECT_TRUE(variant.source.starts_with("examples/stream/" + variant.model + "/sweep."));
    const auto cost = parse_cost(variant.operations);
    ASSERT_TRUE(cost) << variant.operations;
    EXPECT_EQ(cost->operations, 2 * std::stoi(variant.step.substr(6))) << variant.step;
  }
  EXPECT_EQ(members, 2 * 11);
}

TEST(Stream, CostsThatNothingHasAreRefused) {
  for (const char* line :
       {"", "2 fp32", "2 fp16 per element; 4 bytes", "x fp32 per element; 4 bytes"})
    EXPECT_FALSE(parse_cost(line)) << line;
  EXPECT_FALSE(computation_of({3, "fp32", 4}));
  EXPECT_FALSE(computation_of({1, "fp64", 12}));
  EXPECT_EQ(computation_of({2, "fp64", 8}), Computation::chain);
}

// Faulty variants, each with its source line.

void right(const Arrays& arrays) {
  for (long long i = 0; i < arrays.n; ++i) arrays.c[i] = arrays.a[i] + arrays.b[i];
}
void forgets_the_last(const Arrays& arrays) {
  for (long long i = 0; i + 1 < arrays.n; ++i) arrays.c[i] = arrays.a[i] + arrays.b[i];
}
void does_nothing(const Arrays& /*arrays*/) {}
void writes_to_its_input(const Arrays& arrays) {
  right(arrays);
  const_cast<float*>(arrays.a)[0] = 2;
}
void keeps_its_first_result(const Arrays& arrays) {
  static std::vector<float> kept;
  if (kept.size() != static_cast<std::size_t>(arrays.n)) {
    right(arrays);
    kept.assign(arrays.c, arrays.c + arrays.n);
  }
  std::copy(kept.begin(), kept.end(), arrays.c);
}

TEST(Stream, FaultsAreCaught) {
  test::expect_only_right_passes(
      stream_kernel(), "add", *make_subject("test", 5000, 64, 1), right,
      {forgets_the_last, does_nothing, writes_to_its_input, keeps_its_first_result});
}

}  // namespace
}  // namespace gpp::stream
