// v1 naive: one thread aligns one pair, cell after cell, row after row.
//
// The row that is passed on lies in the thread's own memory, which its caches hold.

#include <algorithm>
#include <vector>

#include "examples/smith_waterman/pairs.h"

namespace gpp::smith_waterman::omp {
namespace {

int best_score(const Pairs& pairs, int pair, std::vector<Above>& above) {
  const Scoring scoring = pairs.scoring;
  const std::uint8_t* const first = pairs.letters + pairs.first[pair];
  const std::uint8_t* const second = pairs.letters + pairs.second[pair];
  std::fill(above.begin(), above.end(), Above{0, 0});

  int best = 0;
  for (int i = 0; i < pairs.rows[pair]; ++i) {
    int diagonal = 0, left = 0, e = 0;
    for (int j = 0; j < pairs.columns[pair]; ++j) {
      const Above up = above[static_cast<std::size_t>(j)];
      const int score = first[i] == second[j] ? scoring.match : scoring.mismatch;
      const int f = std::max(up.f - scoring.extend, up.h - scoring.open);
      e = std::max(e - scoring.extend, left - scoring.open);
      const int h = std::max({diagonal + score, 0, e, f});
      above[static_cast<std::size_t>(j)] = {h, f};
      best = std::max(best, h);
      diagonal = up.h;
      left = h;
    }
  }
  return best;
}

}  // namespace

void naive(const Pairs& pairs) {
#pragma omp parallel
  {
    std::vector<Above> above(static_cast<std::size_t>(pairs.longest_columns));
#pragma omp for schedule(dynamic)
    for (int pair = 0; pair < pairs.count; ++pair)
      pairs.score[pair] = best_score(pairs, pair, above);
  }
}
GPP_VARIANT(naive);

}  // namespace gpp::smith_waterman::omp
