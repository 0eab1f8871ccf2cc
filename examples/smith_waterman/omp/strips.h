// Strips of rows of a group of pairs: common code of strips and packed.
#pragma once

#include "examples/smith_waterman/omp/lanes.h"

namespace gpp::smith_waterman::omp {

/// The number of rows in a strip.
inline constexpr int strip = 4;

/// The values that the rows of a strip keep from the previous column.
template <class Number>
struct Strip {
  Lanes<Number> letters[strip], h[strip], e[strip];
  Lanes<Number> corner;  ///< h of the row above, previous column
};

/// Computes the cells of a strip in one column.
template <class Number>
void next_column(Strip<Number>& rows, AboveLanes<Number>& above, const Lanes<Number>& others,
                 Lanes<Number>& best, const ScoringOf<Number>& scoring) {
#pragma omp simd
  for (int l = 0; l < lanes<Number>; ++l) {
    Number up = above.h.of[l], f = above.f.of[l], diagonal = rows.corner.of[l], most = best.of[l];
    rows.corner.of[l] = up;
#pragma GCC unroll 4
    for (int r = 0; r < strip; ++r) {
      const Number left = rows.h[r].of[l];
      const Number score = rows.letters[r].of[l] == others.of[l] ? scoring.match : scoring.mismatch;
      const Number e = larger(minus(rows.e[r].of[l], scoring.extend), minus(left, scoring.open));
      f = larger(minus(f, scoring.extend), minus(up, scoring.open));
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

/// Rows past the end of the sequences are computed too, with a letter that matches nothing.
template <class Number>
void align_in_strips(Group<Number>& group, const ScoringOf<Number>& scoring) {
  Lanes<Number> none;
  std::fill(none.of, none.of + lanes<Number>, Number{beyond_first});
  for (int top = 0; top < group.rows; top += strip) {
    Strip<Number> rows;
    for (int r = 0; r < strip; ++r)
      rows.letters[r] =
          top + r < group.rows ? group.first[static_cast<std::size_t>(top + r)] : none;
    for (int j = 0; j < group.columns; ++j)
      next_column(rows, group.above[static_cast<std::size_t>(j)],
                  group.second[static_cast<std::size_t>(j)], group.best, scoring);
  }
}

}  // namespace gpp::smith_waterman::omp
