// Tests of the Smith-Waterman kernels: every build at the edges, the reference on known pairs,
// and faulty variants.
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>

#include "examples/smith_waterman/kernel.h"
#include "tests/examples/builds.h"
#include "tests/harness/fake_runtime.h"

namespace gpp::smith_waterman {
namespace {

const Variant& host_naive() { return test::on_hosts(catalog(), "naive"); }

using SmithWatermanBuild = test::RunsBuild;

/// Neighbouring letters matter, so many small problems find more faults than a large one.
TEST_P(SmithWatermanBuild, IsRightForAnySeed) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const int count = 1 + static_cast<int>(seed * 7 % 80);
    test::expect_right(GetParam(), smith_waterman_kernel(),
                       *make_subject("any", {count, 1, 10 + static_cast<int>(seed) * 12}, seed));
  }
}

/// The largest 16-bit numbers, and larger ones, which variants treat differently, and as many pairs
/// and letters as waves can hold.
TEST_P(SmithWatermanBuild, IsRightAtTheEdgeOf16Bits) {
  for (const Scoring& scoring : {Scoring{127, -128, 300, 5},
                                 {127, -128, 16'384, 16'256},
                                 {127, -128, 16'384, 16'257},
                                 {127, -128, 16'384, 16'383},
                                 {127, -128, 32'767, 0},
                                 {127, -128, 32'767, 32'767}})
    for (const int length : {100, 252, 257, 258, 259, 300})
      test::expect_right(GetParam(), smith_waterman_kernel(),
                         *make_subject("edge", {32, length, length, Kinship::twins, scoring}, 3));
}

/// A mismatch costs more than a gap in each sequence, so vertical and horizontal gaps meet.
TEST_P(SmithWatermanBuild, IsRightWhereGapsMeet) {
  for (const Scoring& scoring : {Scoring{5, -100, 1, 1}, {20, -128, 3, 0}, {9, -60, 8, 1}})
    for (std::uint64_t seed = 0; seed < 4; ++seed)
      test::expect_right(GetParam(), smith_waterman_kernel(),
                         *make_subject("meet", {48, 30, 200, Kinship::relatives, scoring}, seed));
}

INSTANTIATE_TEST_SUITE_P(Catalog, SmithWatermanBuild, testing::ValuesIn(test::builds_of(catalog())),
                         test::name_of_build);

std::int64_t score(const std::string& first, const std::string& second, const Scoring& scoring) {
  const auto letters = [](const std::string& text) {
    std::basic_string<std::uint8_t> codes;
    for (const char letter : text)
      codes.push_back(static_cast<std::uint8_t>(std::string("ACGT").find(letter)));
    return codes;
  };
  return score_of(letters(first), letters(second), scoring);
}

TEST(SmithWaterman, TheReferenceKnowsScoresWorkedOutByHand) {
  const Scoring scoring{2, -3, 5, 2};
  EXPECT_EQ(score("A", "A", scoring), 2);
  EXPECT_EQ(score("A", "C", scoring), 0);
  EXPECT_EQ(score("ACGT", "ACGT", scoring), 8);
  EXPECT_EQ(score("TTACGTTT", "GGACGTGG", scoring), 8);          // the common part is CGT
  EXPECT_EQ(score("ACGTACGA", "ACGTCCGA", scoring), 7 * 2 - 3);  // one letter differs
  // Six letters, a gap of one, two, or three, and six more letters.
  EXPECT_EQ(score("ACGTACGTACGT", "ACGTACTGTACGT", scoring), 12 * 2 - 5);
  EXPECT_EQ(score("ACGTACGTACGT", "ACGTACTTGTACGT", scoring), 12 * 2 - 5 - 2);
  EXPECT_EQ(score("ACGTACTTTGTACGT", "ACGTACGTACGT", scoring), 12 * 2 - 5 - 2 - 2);
}

TEST(SmithWaterman, A16BitProblemIsOneWhoseLargestScoreFits) {
  Pairs pairs;
  pairs.scoring = {127, -128, 5, 2};
  pairs.longest_shorter = 258;  // 258 x 127 = 32766
  EXPECT_TRUE(fit_16_bits(pairs));
  pairs.longest_shorter = 259;
  EXPECT_FALSE(fit_16_bits(pairs));
  pairs.longest_shorter = 1;
  pairs.scoring.open = 32'765;
  EXPECT_TRUE(fit_16_bits(pairs));
  pairs.scoring.extend = 3;
  EXPECT_FALSE(fit_16_bits(pairs));
}

TEST(SmithWaterman, WorkIsCellsAndBytesAreLettersAndScores) {
  const auto one = make_subject("one", {1, 9, 9, Kinship::twins}, 1);
  EXPECT_EQ(one->input().terms, 81);
  const auto cost = one->count(host_naive()).metrics;
  EXPECT_EQ(cost.at("dram_bytes"), 9 + 9 + 4);  // no FLOP
  EXPECT_EQ(cost.size(), 1U);
}

TEST(SmithWaterman, PairsComeInFallingOrderWithTheirLargestLengths) {
  const auto subject = make_subject("order", {300, 2, 40}, 1);
  const Variant& naive = host_naive();
  const auto look = [](const Pairs& pairs, NoAnswer& /*answer*/) {
    EXPECT_EQ(pairs.count, 300);
    EXPECT_TRUE(std::is_sorted(pairs.rows, pairs.rows + pairs.count, std::greater<>()));
    EXPECT_EQ(*std::max_element(pairs.columns, pairs.columns + pairs.count), pairs.longest_columns);
    int shorter = 0;
    for (int pair = 0; pair < pairs.count; ++pair)
      shorter = std::max(shorter, std::min(pairs.rows[pair], pairs.columns[pair]));
    EXPECT_EQ(shorter, pairs.longest_shorter);
  };
  subject->place(*naive.builds.front().runtime)->run(naive, Call::of<Pairs, NoAnswer>(look));
}

TEST(SmithWaterman, ASliceHasNoMoreCellsThanAskedFor) {
  const auto whole = make_subject("whole", {200, 10, 50}, 1);
  std::string part;
  EXPECT_EQ(whole->slice(whole->input().terms, part), nullptr);
  const auto slice = whole->slice(100'000, part);
  ASSERT_NE(slice, nullptr);
  EXPECT_LE(slice->input().terms, 100'000);
  EXPECT_EQ(part, "40 of 200 pairs");
}

TEST(SmithWaterman, InputsDifferBySeedAlone) {
  const auto first_scores = [](std::uint64_t seed) {
    const auto subject = make_subject("same", {40, 20, 60}, seed);
    const Variant& naive = host_naive();
    const auto placement = subject->place(*naive.builds.front().runtime);
    placement->run(naive, naive.builds.front().call);
    return std::pair<std::string, Json>(subject->input().sha256, placement->answer());
  };
  EXPECT_EQ(first_scores(1), first_scores(1));
  EXPECT_NE(first_scores(1).first, first_scores(2).first);
  EXPECT_NE(first_scores(1).second, first_scores(2).second);
}

/// Scores of twins are never 0, so each one changes.
TEST(SmithWaterman, AnotherSeedChangesEveryScoreAndSeed0RestoresIt) {
  const auto subject = make_subject("twins", {4, 20, 60, Kinship::twins}, 1);
  const Variant& naive = host_naive();
  const auto placement = subject->place(*naive.builds.front().runtime);
  const auto scores = [&](std::uint64_t seed) {
    placement->vary(seed);
    placement->run(naive, naive.builds.front().call);
    return placement->answer()["first"];
  };
  const Json whole = scores(0);
  ASSERT_EQ(whole.size(), 4U);
  for (std::uint64_t seed = 1; seed < 20; ++seed) {
    const Json other = scores(seed);
    for (std::size_t pair = 0; pair < whole.size(); ++pair) EXPECT_NE(other[pair], whole[pair]);
  }
  EXPECT_EQ(scores(0), whole);
}

// Faulty variants and a right one.

template <class Change>
void align(const Pairs& pairs, const Change& change) {
  for (int pair = 0; pair < pairs.count; ++pair) {
    const auto view = [&](long long start, int length) {
      return std::basic_string_view<std::uint8_t>(pairs.letters + start,
                                                  static_cast<std::size_t>(length));
    };
    pairs.score[pair] = static_cast<int>(score_of(view(pairs.first[pair], pairs.rows[pair]),
                                                  view(pairs.second[pair], pairs.columns[pair]),
                                                  change(pairs.scoring)));
  }
}

void right(const Pairs& pairs) {
  align(pairs, [](const Scoring& same) { return same; });
}
void knows_no_affine_gaps(const Pairs& pairs) {
  align(pairs, [](Scoring scoring) {
    scoring.extend = scoring.open;
    return scoring;
  });
}
void forgets_the_last(const Pairs& pairs) {
  Pairs fewer = pairs;
  --fewer.count;
  right(fewer);
  if (fewer.count > 0) pairs.score[fewer.count] = -1;
}
void is_off_by_one_once(const Pairs& pairs) {
  right(pairs);
  ++pairs.score[pairs.count / 2];
}
void keeps_its_first_result(const Pairs& pairs) {
  static std::vector<int> kept;
  if (kept.size() != static_cast<std::size_t>(pairs.count)) {
    right(pairs);
    kept.assign(pairs.score, pairs.score + pairs.count);
  }
  std::copy(kept.begin(), kept.end(), pairs.score);
}

TEST(SmithWaterman, FaultsAreCaught) {
  test::expect_only_right_passes(
      smith_waterman_kernel(), "naive", *make_subject("test", {60, 30, 80}, 1), right,
      {knows_no_affine_gaps, forgets_the_last, is_off_by_one_once, keeps_its_first_result});
}

TEST(SmithWaterman, TooLittleMemoryIsToldBeforeItIsTaken) {
  test::FakeRuntime small;
  small.free = 1000;
  EXPECT_THROW(make_subject("test", {60, 30, 80}, 1)->place(small), std::runtime_error);
}

}  // namespace
}  // namespace gpp::smith_waterman
