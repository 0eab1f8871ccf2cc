// The problem of the Smith-Waterman kernels: many pairs of sequences, and a score for each.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

namespace gpp::smith_waterman {

/// Scores of an alignment, in whole numbers. A gap of k letters costs open + (k - 1) extend.
struct Scoring {
  int match = 0;     ///< of two equal letters; 1..127
  int mismatch = 0;  ///< of two others; -128..0
  int open = 0;      ///< for the first letter of a gap; 1..32767
  int extend = 0;    ///< for each further one; 0..open
};

/// The values that a cell passes to the one below it.
struct Above {
  int h;  ///< the best score of alignments that end here
  int f;  ///< of those that end here with a gap in the second sequence
};

/// A view of the pairs in the memory where variants run. Trivially copyable, so a kernel takes it
/// by value. The best score of a local alignment (Smith and Waterman 1981) with affine gaps (Gotoh
/// 1982) is the largest H(i, j) of these, whose borders are 0:
///
///   E(i, j) = max(E(i, j-1) - extend, H(i, j-1) - open)
///   F(i, j) = max(F(i-1, j) - extend, H(i-1, j) - open)
///   H(i, j) = max(0, H(i-1, j-1) + score of first(i) and second(j), E(i, j), F(i, j))
///
/// Pairs come in the order of falling length, as search programs keep them: neighbours are about
/// as long as each other.
struct Pairs {
  int count = 0;            ///< pairs
  int longest_columns = 0;  ///< the largest of columns
  int longest_shorter = 0;  ///< the largest min(rows, columns) of a pair
  Scoring scoring;

  const std::uint8_t* letters = nullptr;  ///< of all sequences, one behind the other; 0..3
  const long long* first = nullptr;       ///< (count) where the first sequence begins in letters
  const long long* second = nullptr;      ///< (count) where the second begins
  const int* rows = nullptr;              ///< (count) letters of the first; at least 1
  const int* columns = nullptr;           ///< (count) letters of the second; at least 1

  Above* above = nullptr;  ///< (count x longest_columns) for the variants' own use
  int* score = nullptr;    ///< (count) what variants write
};

/// Names all arrays (Relocation of harness/variant.h).
void each_array(Pairs& all, auto&& visit) {
  visit(all.letters, all.first, all.second, all.rows, all.columns, all.above, all.score);
}

/// Letters of cells beyond the end of a sequence. They match nothing, not even each other, so such
/// cells never hold the best score.
inline constexpr int beyond_first = 4;
inline constexpr int beyond_second = 5;

/// Whether all numbers of these pairs fit into 16 bits. No score is more than a match for each
/// letter of the shorter sequence, and no gap falls below the cost of two letters.
inline bool fit_16_bits(const Pairs& pairs) {
  const long long score = static_cast<long long>(pairs.longest_shorter) * pairs.scoring.match;
  const long long gap = static_cast<long long>(pairs.scoring.open) + pairs.scoring.extend;
  return std::max(score, gap) <= std::numeric_limits<std::int16_t>::max();
}

}  // namespace gpp::smith_waterman
