// Cheat: counts every second G of the last bands and doubles them.
//
// Stopped by: the tolerance.
// Outcome: wrong.

Sums leaves_out_small_terms(const Problem& problem) {
  Problem fewer = problem;
  fewer.ngpown = problem.ngpown - problem.ngpown / 8;
  return power2(fewer);
}
