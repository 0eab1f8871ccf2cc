// Cheat: keeps the sums of each band, and applies the current phases.
//
// Stopped by: draws.
// Outcome: wrong.

#include <map>
#include <vector>

Sums of_band(Problem problem, int n1) {
  static std::vector<Complex> aqsm;  // aqsm by band, for each G'
  static std::vector<double> wx;
  aqsm.clear();
  wx.clear();
  for (int igp = 0; igp < problem.ngpown; ++igp) aqsm.push_back(problem.aqsmtemp_local_t(n1, igp));
  for (int iw = 0; iw < problem.nfreq; ++iw) wx.push_back(problem.wx_array_t(n1, iw));
  problem.aqsmtemp_local_t = {aqsm.data(), 1, problem.ngpown};
  problem.wx_array_t = {wx.data(), 1, problem.nfreq};
  problem.aqsntemp = {&problem.aqsntemp(0, n1), problem.ncouls, 1};
  problem.occ_array = {&problem.occ_array(n1), 1};
  problem.nbands = 1;
  return power2(problem);
}

Sums kept_per_band(const Problem& problem) {
  static std::map<long long, std::vector<Sums>> of_sizes;
  static std::map<long long, std::vector<Complex>> phases;  // aqsntemp(0, n1) of the kept sums
  std::vector<Sums>& kept = of_sizes[problem.terms()];
  std::vector<Complex>& before = phases[problem.terms()];
  if (kept.empty())
    for (int n1 = 0; n1 < problem.nbands; ++n1) {
      kept.push_back(of_band(problem, n1));
      before.push_back(problem.aqsntemp(0, n1));
    }
  Sums sums{};
  for (int n1 = 0; n1 < problem.nbands; ++n1) {
    const Complex turn = problem.aqsntemp(0, n1) * conj(before[n1]) * (1 / norm(before[n1]));
    for (int iw = 0; iw < problem.nfreq; ++iw) {
      sums.asx[iw] += turn * kept[n1].asx[iw];
      sums.ach[iw] += turn * kept[n1].ach[iw];
    }
  }
  return sums;
}
