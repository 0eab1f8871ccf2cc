// Neighbouring pairs in vector lanes: common code of interleaved, strips and packed.
#pragma once

#include <algorithm>
#include <vector>

#include "examples/smith_waterman/pairs.h"

namespace gpp::smith_waterman::omp {

/// As many numbers as fit into 64 bytes: one vector, or two or four smaller ones.
template <class Number>
inline constexpr int lanes = 64 / static_cast<int>(sizeof(Number));

// Results keep the type of the lanes, so 16 bits stay 16 bits. C++ would convert them to int.

template <class Number>
Number plus(Number a, Number b) {
  return static_cast<Number>(a + b);
}
template <class Number>
Number minus(Number a, Number b) {
  return static_cast<Number>(a - b);
}
template <class Number>
Number larger(Number a, Number b) {
  return a > b ? a : b;
}

/// The same number in each lane.
template <class Number>
struct alignas(64) Lanes {
  Number of[lanes<Number>] = {};
};

/// The values that a cell passes to the one below it, for each lane.
template <class Number>
struct AboveLanes {
  Lanes<Number> h, f;
};

/// A group of neighbouring pairs, one per lane, which are aligned side by side. Its memory is kept
/// for the next group.
template <class Number>
struct Group {
  int rows = 0, columns = 0;                 ///< of the longest pair; rows in whole strips
  std::vector<Lanes<Number>> first, second;  ///< (rows), (columns) letters
  std::vector<AboveLanes<Number>> above;     ///< (columns) all 0
  Lanes<Number> best;

  /// Loads pairs from `begin` on. Lanes without a pair, and rows and columns past the end of
  /// sequences, get letters that match nothing.
  void load(const Pairs& pairs, int begin, int strip) {
    filled_ = std::min(lanes<Number>, pairs.count - begin);
    rows = *std::max_element(pairs.rows + begin, pairs.rows + begin + filled_);
    rows = (rows + strip - 1) / strip * strip;
    columns = *std::max_element(pairs.columns + begin, pairs.columns + begin + filled_);
    interleave(first, rows, pairs.letters, pairs.first + begin, pairs.rows + begin, beyond_first);
    interleave(second, columns, pairs.letters, pairs.second + begin, pairs.columns + begin,
               beyond_second);
    above.assign(static_cast<std::size_t>(columns), {});
    best = {};
  }

  void store_best(const Pairs& pairs, int begin) const {
    std::copy(best.of, best.of + filled_, pairs.score + begin);
  }

 private:
  void interleave(std::vector<Lanes<Number>>& to, int longest, const std::uint8_t* letters,
                  const long long* starts, const int* lengths, int beyond) const {
    Lanes<Number> none;
    std::fill(none.of, none.of + lanes<Number>, static_cast<Number>(beyond));
    to.assign(static_cast<std::size_t>(longest), none);
    for (int lane = 0; lane < filled_; ++lane)
      for (int i = 0; i < lengths[lane]; ++i)
        to[static_cast<std::size_t>(i)].of[lane] = letters[starts[lane] + i];
  }

  int filled_ = 0;  // number of lanes with a pair
};

// ---- Strips of rows of a group ------------------------------------------------------------------

/// The values that the rows of a strip keep from the previous column.
template <class Number, int strip>
struct Strip {
  Lanes<Number> letters[strip], h[strip], e[strip];
  Lanes<Number> corner;  ///< h of the row above, previous column
};

/// Computes the cells of a strip in one column.
template <class Number, int strip>
void next_column(Strip<Number, strip>& rows, AboveLanes<Number>& above, const Lanes<Number>& others,
                 Lanes<Number>& best, const Scoring& scoring) {
  const auto open = static_cast<Number>(scoring.open), extend = static_cast<Number>(scoring.extend);
  const auto match = static_cast<Number>(scoring.match);
  const auto mismatch = static_cast<Number>(scoring.mismatch);
#pragma omp simd
  for (int l = 0; l < lanes<Number>; ++l) {
    Number up = above.h.of[l], f = above.f.of[l], diagonal = rows.corner.of[l], most = best.of[l];
    rows.corner.of[l] = up;
#pragma GCC unroll 4
    for (int r = 0; r < strip; ++r) {
      const Number left = rows.h[r].of[l];
      const Number score = rows.letters[r].of[l] == others.of[l] ? match : mismatch;
      const Number e = larger(minus(rows.e[r].of[l], extend), minus(left, open));
      f = larger(minus(f, extend), minus(up, open));
      up = larger(larger(plus(diagonal, score), Number{0}), larger(e, f));
      most = larger(most, up);
      diagonal = left;
      rows.h[r].of[l] = up;
      rows.e[r].of[l] = e;
    }
    above.h.of[l] = up;
    above.f.of[l] = f;
    best.of[l] = most;
  }
}

template <class Number, int strip>
void align_in_strips(Group<Number>& group, const Scoring& scoring) {
  for (int top = 0; top < group.rows; top += strip) {
    Strip<Number, strip> rows;
    std::copy_n(group.first.begin() + top, strip, rows.letters);
    for (int j = 0; j < group.columns; ++j)
      next_column(rows, group.above[static_cast<std::size_t>(j)],
                  group.second[static_cast<std::size_t>(j)], group.best, scoring);
  }
}

/// Aligns all pairs in strips of so many rows, with one group per thread.
template <class Number, int strip>
void align_all(const Pairs& pairs) {
#pragma omp parallel
  {
    Group<Number> group;
#pragma omp for schedule(dynamic)
    for (int begin = 0; begin < pairs.count; begin += lanes<Number>) {
      group.load(pairs, begin, strip);
      align_in_strips<Number, strip>(group, pairs.scoring);
      group.store_best(pairs, begin);
    }
  }
}

}  // namespace gpp::smith_waterman::omp
