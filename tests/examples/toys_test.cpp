// Tests of the toys: faulty variants, work, sizes.
#include "examples/toys/kernel.h"

#include <algorithm>
#include <span>

#include "roofline/base/text.h"
#include "tests/examples/builds.h"

namespace gpp::toys {
namespace {

// Faulty variants of C.

void right(const Numbers& numbers) {
  for (long long i = 0; i < numbers.n; ++i)
    numbers.a[i] = numbers.b[i % (numbers.n / stride) * stride + i / (numbers.n / stride)] + 1;
}
void reads_side_by_side(const Numbers& numbers) {
  for (long long i = 0; i < numbers.n; ++i) numbers.a[i] = numbers.b[i] + 1;
}
std::span<double> result(const Numbers& numbers) {
  return {numbers.a, static_cast<std::size_t>(numbers.n)};
}

TEST(Toys, FaultsAreCaught) {
  test::expect_only_right_passes<Numbers>(
      example(), "c_stride", *example().make("test", 4800, 1), right, result,
      {[](const Numbers& all) { all.a[all.n - 1] += 1; },
       [](const Numbers& all) { const_cast<double*>(all.b)[0] = 2; }},
      {reads_side_by_side});
}

void near(const Numbers& numbers) {
  for (long long i = 0; i < numbers.n; ++i) {
    const long long piece = i / 256, j = i % 256;
    const long long rows = std::min(256LL, numbers.n - 256 * piece) / 4;
    numbers.a[i] = numbers.b[256 * piece + j % rows * 4 + j / rows] + 1;
  }
}

TEST(Toys, TheTextsOrderIsNotTheCodes) {
  test::expect_only_right_passes<Numbers>(example(), "c_near_4", *example().make("test", 4800, 1),
                                          near, result, {}, {right, reads_side_by_side});
}

TEST(Toys, CountsWhatEachStepNeeds) {
  const auto subject = example().make("test", 1600, 1);
  for (const Variant& variant : catalog()) {
    const roofline::Metrics metrics = subject->count(variant).metrics;
    EXPECT_EQ(metrics.at("fp64_flop"), variant.step.starts_with("c_") ? 1600 : 16'000'000);
    EXPECT_EQ(metrics.at("dram_bytes"), 25'600);
  }
}

TEST(Toys, RefusesFilesAndUnknownPresets) {
  EXPECT_THROW(example().obtain({"some.dat", "", 1}), roofline::InputError);
  EXPECT_THROW(example().obtain({{}, "huge", 1}), roofline::InputError);
  EXPECT_EQ(example().obtain({{}, "tiny", 5})->input().path, "preset tiny, seed 5");
}

}  // namespace
}  // namespace gpp::toys
