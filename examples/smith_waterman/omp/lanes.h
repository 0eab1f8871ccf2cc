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

/// A scoring in the number type of the lanes.
template <class Number>
struct ScoringOf {
  Number match, mismatch, open, extend;

  explicit ScoringOf(const Scoring& scoring)
      : match(static_cast<Number>(scoring.match)),
        mismatch(static_cast<Number>(scoring.mismatch)),
        open(static_cast<Number>(scoring.open)),
        extend(static_cast<Number>(scoring.extend)) {}
};

/// A group of neighbouring pairs, one per lane, which are aligned side by side. Its memory is kept
/// for the next group.
template <class Number>
struct Group {
  int rows = 0, columns = 0;                 ///< size of the group's longest pair
  std::vector<Lanes<Number>> first, second;  ///< (rows), (columns) letters
  std::vector<AboveLanes<Number>> above;     ///< (columns) all 0
  Lanes<Number> best;

  /// Loads pairs from `begin` on. Lanes without a pair get letters that match nothing.
  void load(const Pairs& pairs, int begin) {
    filled_ = std::min(lanes<Number>, pairs.count - begin);
    rows = *std::max_element(pairs.rows + begin, pairs.rows + begin + filled_);
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

/// Calls align(group, scoring) for all pairs, with one group per thread.
template <class Number, class Align>
void for_groups(const Pairs& pairs, const Align& align) {
  const ScoringOf<Number> scoring(pairs.scoring);
#pragma omp parallel
  {
    Group<Number> group;
#pragma omp for schedule(dynamic)
    for (int begin = 0; begin < pairs.count; begin += lanes<Number>) {
      group.load(pairs, begin);
      align(group, scoring);
      group.store_best(pairs, begin);
    }
  }
}

}  // namespace gpp::smith_waterman::omp
