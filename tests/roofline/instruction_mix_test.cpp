// Tests on the machine code of this program's functions.
#include "roofline/machine_code/instruction_mix.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <set>
#include <string>

#include "roofline/json.h"
#include "roofline/record/facts.h"

namespace roofline {
namespace {

#if defined(__x86_64__) && defined(__OPTIMIZE__) && !defined(__clang__)

__attribute__((noinline)) double root_of_sum(const double* a) {
  return std::sqrt(a[0] + a[1]) / a[2];
}

__attribute__((noinline)) double sum_of_lengths(const double* a, int length) {
  double sum = 0;
  for (int i = 0; i < length; ++i) sum += std::hypot(a[i], 1.0) + root_of_sum(a + i);
  return sum;
}

__attribute__((noinline, optimize("O3"))) void scale(double* __restrict a,
                                                     const double* __restrict b) {
  for (int i = 0; i < 1024; ++i) a[i] = b[i] * 0.5 + 1 / b[i];
}

template <class Function>
InstructionMix mix_of(Function* function) {
  return instruction_mix(reinterpret_cast<const void*>(function));
}

TEST(InstructionMix, CountsScalarInstructionsAndWhatIsCalledInTheFile) {
  const InstructionMix mix = mix_of(sum_of_lengths);
  ASSERT_EQ(mix.reason, "");
  EXPECT_EQ(mix.scalar, 2 + 3) << "two sums; a sum, a root and a division of the function it calls";
  EXPECT_EQ(mix.divisions, 1);
  EXPECT_EQ(mix.square_roots, 1);
  EXPECT_TRUE(mix.calls.contains("hypot"));
  EXPECT_EQ(mix.scalar_share(), 1);
}

TEST(InstructionMix, CountsVectorsByTheirWidth) {
  const InstructionMix mix = mix_of(scale);
  ASSERT_EQ(mix.reason, "");
  EXPECT_EQ(mix.scalar, 0);
  EXPECT_GT(mix.packed_128 + mix.packed_256 + mix.packed_512, 0);
  EXPECT_GE(mix.divisions, 1);
  EXPECT_EQ(mix.scalar_share(), 0);
  EXPECT_TRUE(mix.calls.empty());
}

#endif

TEST(InstructionMix, WeighsInstructionsByTheirNumbersAndIsKeptWhole) {
  static const int number = 0;
  EXPECT_NE(instruction_mix(&number + 1).reason, "") << "no function";
  EXPECT_EQ(instruction_mix(nullptr).scalar_share(), -1);
  const InstructionMix mix = {8, 4, 2, 1, 3, 4, {"hypot", "exp"}, "why"};
  EXPECT_EQ(mix.scalar_share(), 0.25);
  const auto json = facts_json<InstructionMix, nlohmann::json>(mix);
  const auto read = read_facts<InstructionMix>(JsonPlace(json, "code", "a test"));
  EXPECT_EQ((facts_json<InstructionMix, nlohmann::json>(read)), json);
  EXPECT_EQ(read.calls, mix.calls);
  EXPECT_EQ(json.at("packed_256"), 2);
}

}  // namespace
}  // namespace roofline
