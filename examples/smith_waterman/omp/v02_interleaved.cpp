// v2 interleaved: neighbouring pairs are aligned side by side, one per vector lane.
//
// Their letters and rows are interleaved in memory, so a vector is read as one piece. The cells of
// a vector do not depend on each other.

#include "examples/smith_waterman/omp/lanes.h"

namespace gpp::smith_waterman::omp {
namespace {

using Number = int;

void align(Group<Number>& group, const ScoringOf<Number>& scoring) {
  for (int i = 0; i < group.rows; ++i) {
    const Lanes<Number> letters = group.first[static_cast<std::size_t>(i)];
    Lanes<Number> diagonal, left, e;
    for (int j = 0; j < group.columns; ++j) {
      const Lanes<Number>& others = group.second[static_cast<std::size_t>(j)];
      AboveLanes<Number>& above = group.above[static_cast<std::size_t>(j)];
#pragma omp simd
      for (int l = 0; l < lanes<Number>; ++l) {
        const Number score = letters.of[l] == others.of[l] ? scoring.match : scoring.mismatch;
        const Number f =
            larger(minus(above.f.of[l], scoring.extend), minus(above.h.of[l], scoring.open));
        e.of[l] = larger(minus(e.of[l], scoring.extend), minus(left.of[l], scoring.open));
        const Number h = larger(larger(plus(diagonal.of[l], score), 0), larger(e.of[l], f));
        diagonal.of[l] = above.h.of[l];
        left.of[l] = h;
        above.h.of[l] = h;
        above.f.of[l] = f;
        group.best.of[l] = larger(group.best.of[l], h);
      }
    }
  }
}

}  // namespace

void interleaved(const Pairs& pairs) { for_groups<Number>(pairs, align); }
GPP_VARIANT(interleaved);

}  // namespace gpp::smith_waterman::omp
