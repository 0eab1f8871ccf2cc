// The problem of the Smith-Waterman kernels: many pairs of sequences, and a score for each.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "runtimes/registration.h"

namespace gpp::smith_waterman {

/// The integer scores of an alignment. A gap of k letters costs open + (k - 1) extend.
struct Scoring {
  int match = 0;     ///< score of two equal letters; 1..127
  int mismatch = 0;  ///< score of two different letters; -128..0
  int open = 0;      ///< cost of the first letter of a gap; 1..32767
  int extend = 0;    ///< cost of each further letter; 0..open
};

/// The values that a cell passes to the one below it.
struct Above {
  int h;  ///< best score of alignments that end here
  int f;  ///< best score that ends with a gap in the second sequence
};

/// A view of the pairs in the memory where variants run. Trivially copyable, so a kernel takes it
/// by value. The best score of a local alignment (Smith and Waterman 1981) with affine gaps (Gotoh
/// 1982) is the largest H(i, j), with H = 0 at the borders:
///
///   E(i, j) = max(E(i, j-1) - extend, H(i, j-1) - open)
///   F(i, j) = max(F(i-1, j) - extend, H(i-1, j) - open)
///   H(i, j) = max(0, H(i-1, j-1) + score of first(i) and second(j), E(i, j), F(i, j))
///
/// Pairs are sorted by descending length, as in search programs, so that neighbours have similar
/// lengths.
struct Pairs {
  int count = 0;            ///< number of pairs
  int longest_columns = 0;  ///< largest number of columns
  int longest_shorter = 0;  ///< largest min(rows, columns) of a pair
  Scoring scoring;

  const std::uint8_t* letters = nullptr;  ///< letters of all sequences in sequence; 0..3
  const long long* first = nullptr;       ///< (count) start of the first sequence in letters
  const long long* second = nullptr;      ///< (count) start of the second sequence
  const int* rows = nullptr;              ///< (count) length of the first sequence; >= 1
  const int* columns = nullptr;           ///< (count) length of the second; at least 1

  Above* above = nullptr;  ///< (count x longest_columns) scratch memory of variants
  int* score = nullptr;    ///< (count) the output of variants
};

/// Names all arrays (Relocation of runtimes/registration.h).
void each_array(Pairs& all, auto&& visit) {
  visit(all.letters, all.first, all.second, all.rows, all.columns, all.above, all.score);
}

/// Letters of cells beyond the end of a sequence. They match nothing, not even each other, so such
/// cells never hold the best score.
inline constexpr int beyond_first = 4;
inline constexpr int beyond_second = 5;

/// Tells whether all numbers of these pairs fit into 16 bits. A score is at most a match per letter
/// of the shorter sequence, and a gap is at least minus the cost of two letters.
inline bool fit_16_bits(const Pairs& pairs) {
  const long long score = static_cast<long long>(pairs.longest_shorter) * pairs.scoring.match;
  const long long gap = static_cast<long long>(pairs.scoring.open) + pairs.scoring.extend;
  return std::max(score, gap) <= std::numeric_limits<std::int16_t>::max();
}

}  // namespace gpp::smith_waterman
