// A preset and a seed give the same bits with every machine, compiler and number of cores.

#include <gtest/gtest.h>

#include <atomic>

#include "data/generate.h"
#include "data/random.h"
#include "data/sha256.h"
#include "roofline/base/parallel.h"
#include "tests/generate/one_core.h"

namespace gpp {
namespace {

std::string hash_of(const char* preset, std::uint64_t seed, bool with_reference = true) {
  return sha256_of(generate(*find_preset(preset), seed, with_reference));
}

// The hashes of the files that `gpp generate --preset NAME` writes. They may change only together
// with the generator or reference_definition (gpp/reference.h), whose last bits records 17 and 18
// hold, and on purpose: published results name their inputs by them.
TEST(Reproducible, PinnedHashes) {
  EXPECT_EQ(hash_of("tiny", 1), "ce1f17fb29c769edec073335890a27d3505c05b82992c324c2806870cfbe8109");
  EXPECT_EQ(hash_of("small", 1),
            "5be430e9eb28c5551249a9aaa362d9be65dbf4b50ef398e889c9aeafd786dd66");
  EXPECT_EQ(hash_of("complex_poles", 1),
            "146335960bdc76dee972ec0a22e7c23f9d3c90f4faebe7b23485ccb212dba26a");
  EXPECT_EQ(hash_of("offdiagonal", 7),
            "c6eccaf1da8f05428dca85a2415b2d9868bd5eec58724a935fe9aa7a0d4546e2");
}

TEST(Reproducible, SameOnOneCore) {
  const std::string here = hash_of("small", 5);
  const OneCore one_core;
  ASSERT_EQ(roofline::available_cores(), 1);
  EXPECT_EQ(hash_of("small", 5), here);
}

TEST(Reproducible, SeedsDiffer) {
  EXPECT_NE(hash_of("tiny", 1), hash_of("tiny", 2));
  EXPECT_NE(hash_of("tiny", 1), hash_of("tiny", 0));
}

TEST(Reproducible, ReferenceChangesNothingElse) {
  Input with = generate(*find_preset("tiny"), 3, true);
  const Input without = generate(*find_preset("tiny"), 3, false);
  EXPECT_NE(sha256_of(with), sha256_of(without));
  EXPECT_EQ(without.asxtempref, (std::array<Complex, 3>{}));
  EXPECT_EQ(without.achtempref, (std::array<Complex, 3>{}));
  with.asxtempref = {};
  with.achtempref = {};
  EXPECT_EQ(sha256_of(with), sha256_of(without));
}

TEST(Reproducible, RandomNumbersOfNeighboursAreUnrelated) {
  // Correlation of uniform numbers of neighbouring elements, streams and seeds: 0 +- 1/sqrt(n).
  constexpr int n = 100000;
  double element = 0;
  double stream = 0;
  double seed = 0;
  double mean = 0;
  double square = 0;
  for (std::uint64_t i = 0; i < n; ++i) {
    const double x = Random(1, 1, i).uniform() - 0.5;
    element += x * (Random(1, 1, i + 1).uniform() - 0.5);
    stream += x * (Random(1, 2, i).uniform() - 0.5);
    seed += x * (Random(2, 1, i).uniform() - 0.5);
    mean += x;
    square += x * x;
  }
  const double four_sigma = 4.0 / std::sqrt(n) / 12.0;
  EXPECT_NEAR(element / n, 0.0, four_sigma);
  EXPECT_NEAR(stream / n, 0.0, four_sigma);
  EXPECT_NEAR(seed / n, 0.0, four_sigma);
  EXPECT_NEAR(mean / n, 0.0, 4.0 / std::sqrt(12.0 * n));
  EXPECT_NEAR(square / n, 1.0 / 12.0, 0.001);
}

TEST(Reproducible, ParallelLoopRunsEveryIterationOnceAndReportsFailure) {
  std::vector<std::atomic<int>> calls(1000);
  double last = -1;
  roofline::parallel_for(
      1000, [&](int i) { ++calls[static_cast<std::size_t>(i)]; },
      [&](double done) { last = done; });
  for (const auto& count : calls) EXPECT_EQ(count, 1);
  EXPECT_LE(last, 1.0);
  EXPECT_THROW(roofline::parallel_for(10,
                                      [](int i) {
                                        if (i == 3) throw std::runtime_error("three");
                                      }),
               std::runtime_error);
  roofline::parallel_for(0, [](int) { FAIL(); });
}

TEST(Reproducible, ProgressGrowsToOne) {
  double last = 0;
  bool grows = true;
  generate(*find_preset("small"), 1, true, [&](double done) {
    grows = grows && done >= last && done <= 1.0;
    last = done;
  });
  EXPECT_TRUE(grows);
  EXPECT_EQ(last, 1.0);
}

}  // namespace
}  // namespace gpp
