// Tests that calls of variants check their types.
#include "harness/variant.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <new>
#include <set>
#include <stdexcept>
#include <vector>

#include "gpp/study/kernel.h"

namespace gpp {
namespace {

struct Plain {
  int number = 0;
};
struct Longer : Plain {
  int more = 0;
};

int doubled(const Plain& plain) { return 2 * plain.number; }
void nothing(const Plain& /*plain*/) {}

TEST(Call, GivesTheAnswerAndRefusesTypesThatAreNotItsOwn) {
  const Call kept = call_of(doubled);
  int answer = 0, searches = 0;
  kept(Plain{21}, answer);
  EXPECT_EQ(answer, 42);
  call_of(nothing)(Plain{});
  const Call call = Call::found_by([&]() -> const Call& {
    ++searches;
    return kept;
  });
  EXPECT_TRUE(call);
  EXPECT_EQ(searches, 0) << "it is found when it is needed";
  call(Plain{4}, answer);
  EXPECT_EQ(answer, 8);
  long long other_answer = 0;
  EXPECT_TRUE(call.takes<Plain>());
  EXPECT_FALSE(call.takes<Longer>());
  EXPECT_THROW(call(Longer{}, answer), std::logic_error);
  EXPECT_THROW(call(Plain{}, other_answer), std::logic_error);
  EXPECT_THROW(call(Plain{}), std::logic_error);
  EXPECT_THROW(call_of(nothing)(Plain{}, answer), std::logic_error);
  EXPECT_THROW(Call()(Plain{}, answer), std::logic_error);
  EXPECT_FALSE(Call());
  EXPECT_EQ(answer, 8);
}

struct Padded {
  const double* data = nullptr;
  int size = 0;
};

#if __has_builtin(__builtin_clear_padding)
TEST(Call, SendsNothingThatNoMemberHas) {
  std::vector<std::byte> sent;
  const Call call = Call::of<Padded, NoAnswer>([](const Padded&, NoAnswer&) {
                    }).done_by([&sent](auto problem, auto /*answer*/) {
    sent.assign(problem.begin(), problem.end());
  });
  alignas(Padded) std::array<std::byte, sizeof(Padded)> memory;
  memory.fill(std::byte{0x7f});  // fills memory like an address
  auto* const problem = new (memory.data()) Padded;
  problem->size = 5;
  call(*problem);
  std::array<std::int64_t, 2> words{};
  ASSERT_EQ(sent.size(), sizeof(words));
  std::memcpy(words.data(), sent.data(), sizeof(words));
  EXPECT_EQ(words[1], 5);
}

/// Some compilers leave padding bytes unset.
TEST(Call, AProblemOfGppHasHardlyAnyPadding) {
  alignas(FactoredProblem) std::array<unsigned char, sizeof(FactoredProblem)> bytes;
  bytes.fill(1);
  __builtin_clear_padding(reinterpret_cast<FactoredProblem*>(bytes.data()));
  EXPECT_LE(std::ranges::count(bytes, 0), 1);
}
#endif

// ---- Sigma-GPP's two problems -------------------------------------------------------------------

Sums bands_of(const Problem& problem) {
  Sums sums{};
  sums.asx[0].re = problem.nbands;
  return sums;
}
Sums rank_of(const FactoredProblem& problem) {
  Sums sums{};
  sums.asx[0].re = problem.moment_rank;
  return sums;
}

TEST(CallVariant, GivesEachVariantTheProblemThatItTakes) {
  FactoredProblem problem;
  problem.nbands = 3;
  problem.moment_rank = 5;
  EXPECT_EQ(call_variant(call_of(bands_of), problem).asx[0].re, 3);
  EXPECT_EQ(call_variant(call_of(rank_of), problem).asx[0].re, 5);
  EXPECT_THROW(call_variant(call_of(doubled), problem), std::logic_error);
  const std::set<std::string> factored = {"factored", "real_poles", "moments", "integers"};
  for (const Variant& variant : catalog())
    for (const Build& build : variant.builds)
      if (number_of(variant.id) > 0) {
        EXPECT_EQ(build.call.takes<FactoredProblem>(), factored.contains(variant.step))
            << variant.source;
      }
}

}  // namespace
}  // namespace gpp
