// Cheat: computes in float instead of double.
//
// Stopped by: the tolerance.
// Outcome: wrong.

Sums single_precision(const Problem& problem) {
  Sums sums = power2(problem);
  for (int iw = 0; iw < problem.nfreq; ++iw) {
    sums.asx[iw] = {static_cast<float>(sums.asx[iw].re), static_cast<float>(sums.asx[iw].im)};
    sums.ach[iw] = {static_cast<float>(sums.ach[iw].re), static_cast<float>(sums.ach[iw].im)};
  }
  return sums;
}
