// Tests that calls of variants check their types.
#include "harness/variant.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
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
  const Call call = call_of(doubled);
  int answer = 0;
  EXPECT_TRUE(call);
  call_of(nothing)(Plain{});
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
