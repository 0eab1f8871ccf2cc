// Tests of the Smith-Waterman kernels: the reference on known pairs, inputs, and faulty variants.
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>

#include "examples/smith_waterman/kernel.h"
#include "tests/examples/builds.h"
#include "tests/harness/fake_runtime.h"

namespace gpp::smith_waterman {
namespace {

const Variant& host_naive() { return test::on_hosts(catalog(), "naive"); }

std::int64_t score(const std::string& first, const std::string& second, const Scoring& scoring) {
  std::vector<std::uint8_t> letters;
  for (const char letter : first + second)
    letters.push_back(static_cast<std::uint8_t>(std::string("ACGT").find(letter)));
  const long long starts[] = {0, static_cast<long long>(first.size())};
  const int lengths[] = {static_cast<int>(first.size()), static_cast<int>(second.size())};
  const Pairs pair{1,          lengths[1], 0,           scoring,    letters.data(),
                   &starts[0], &starts[1], &lengths[0], &lengths[1]};
  return score_of(pair, 0);
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
  const auto one = example().make("one", {1, 9, 9, Kinship::twins}, 1);
  EXPECT_EQ(one->input().terms, 81);
  const auto cost = one->count(host_naive()).metrics;
  EXPECT_EQ(cost.at("dram_bytes"), 9 + 9 + 4);  // no FLOP
  EXPECT_EQ(cost.size(), 1U);
}

TEST(SmithWaterman, PairsComeInFallingOrderWithTheirLargestLengths) {
  const auto subject = example().make("order", {300, 2, 40}, 1);
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
  const auto whole = example().make("whole", {200, 10, 50}, 1);
  std::string part;
  EXPECT_EQ(whole->slice(whole->input().terms, part), nullptr);
  const auto slice = whole->slice(100'000, part);
  ASSERT_NE(slice, nullptr);
  EXPECT_LE(slice->input().terms, 100'000);
  EXPECT_EQ(part, "40 of 200 pairs");
}

// Faulty variants and a right one.

void right(const Pairs& pairs) {
  for (int pair = 0; pair < pairs.count; ++pair)
    pairs.score[pair] = static_cast<int>(score_of(pairs, pair));
}
void knows_no_affine_gaps(const Pairs& pairs) {
  Pairs other = pairs;
  other.scoring.extend = other.scoring.open;
  right(other);
}
std::span<int> result(const Pairs& pairs) {
  return {pairs.score, static_cast<std::size_t>(pairs.count)};
}

TEST(SmithWaterman, FaultsAreCaught) {
  test::expect_only_right_passes<Pairs>(
      example(), "naive", *example().make("test", {60, 30, 80}, 1), right, result,
      {[](const Pairs& all) { ++all.score[all.count / 2]; }}, {knows_no_affine_gaps});
}

TEST(SmithWaterman, TooLittleMemoryIsToldBeforeItIsTaken) {
  test::FakeRuntime small;
  small.free = 1000;
  EXPECT_THROW(example().make("test", {60, 30, 80}, 1)->place(small), std::runtime_error);
}

}  // namespace
}  // namespace gpp::smith_waterman
