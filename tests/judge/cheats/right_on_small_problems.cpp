// Cheat: is right on the first problems, and sums only half of the bands on others.
//
// Stopped by: a check of every run.
// Outcome: wrong.

Sums right_on_small_problems(const Problem& problem) {
  if (problem.ncouls != 27) return power2(problem);  // all but the preset tiny
  Problem half = problem;
  half.nbands /= 2;
  return power2(half);
}
