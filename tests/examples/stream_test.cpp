// Tests of the stream kernels: their work, and faulty variants.
#include <span>

#include "examples/stream/kernel.h"
#include "tests/examples/builds.h"

namespace gpp::stream {
namespace {

TEST(Stream, EveryVariantStatesItsWork) {
  const auto subject = example().make("test", {100, 7}, 1);
  int members = 0;  // of the family that one file per model holds
  for (const Variant& variant : catalog()) {
    const SourceCount count = subject->count(variant);
    EXPECT_EQ(count.unknown, "") << variant.operations;
    if (!variant.step.starts_with("sweep_")) continue;
    ++members;
    EXPECT_EQ(variant.id, variant.step);
    EXPECT_EQ(count.metrics.at("fp32_flop"), 200 * std::stoi(variant.step.substr(6)));
  }
  EXPECT_EQ(members, 2 * 11);
  EXPECT_EQ(catalog().size(), 17U * 2);
}

TEST(Stream, WorkThatNothingHasIsRefused) {
  const auto subject = example().make("test", {100, 7}, 1);
  Variant variant = test::on_hosts(catalog(), "add");
  for (const char* line :
       {"", "2 fp32", "2 fp16 per element; 4 bytes", "x fp32 per element; 4 bytes",
        "3 fp32 per element; 4 bytes", "1 fp64 per element; 12 bytes"}) {
    variant.operations = line;
    EXPECT_NE(subject->count(variant).unknown, "") << line;
  }
}

TEST(Stream, AVariantWithoutStatedWorkFailsWithAReason) {
  const auto subject = example().make("test", {100, 7}, 1);
  Variant variant = test::on_hosts(catalog(), "add");
  variant.operations = "";
  const auto placement = subject->place(*variant.builds.front().runtime);
  placement->run(variant, variant.builds.front().call);
  const Check verdict = placement->check(1);
  EXPECT_FALSE(verdict.passed);
  EXPECT_EQ(verdict.reason, subject->count(variant).unknown);
  EXPECT_TRUE(verdict.reason.starts_with(variant.source));
}

void right(const Arrays& arrays) {
  for (long long i = 0; i < arrays.n; ++i) arrays.c[i] = arrays.a[i] + arrays.b[i];
}
std::span<float> result(const Arrays& arrays) {
  return {arrays.c, static_cast<std::size_t>(arrays.n)};
}
TEST(Stream, FaultsAreCaught) {
  test::expect_only_right_passes<Arrays>(
      example(), "add", *example().make("test", {5000, 64}, 1), right, result,
      {[](const Arrays& all) { const_cast<float*>(all.a)[0] = 2; }});
}

}  // namespace
}  // namespace gpp::stream
