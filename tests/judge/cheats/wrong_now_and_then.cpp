// Cheat: is wrong in one run of four.
//
// Stopped by: a check of every run.
// Outcome: wrong.

Sums wrong_now_and_then(const Problem& problem) {
  static int runs = 0;
  Sums sums = power2(problem);
  if (++runs % 4 == 0) sums.ach[0] = sums.ach[0] * 1.0001;
  return sums;
}
