// Honest, though it looks odd: its sums are off by 1e-12, as sums in another order may be: fewer
// digits are allowed.

Sums within_the_tolerance(const Problem& problem) {
  Sums sums = power2(problem);
  for (int iw = 0; iw < problem.nfreq; ++iw) sums.asx[iw] = sums.asx[iw] * (1 + 1e-12);
  return sums;
}
