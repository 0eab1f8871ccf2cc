// Cheat: keeps the sums of each G' in the device's memory, and multiplies them by the current
// vcoul.
//
// Stopped by: draws.
// Outcome: wrong.

#include <cstddef>
#include <map>
#include <vector>

/// The sums of one G' with weight 1.
Sums of_own_g(Problem problem, int igp, const double* one) {
  problem.wtilde_array.data += static_cast<std::ptrdiff_t>(igp) * problem.ncouls;
  problem.I_eps_array.data += static_cast<std::ptrdiff_t>(igp) * problem.ncouls;
  problem.aqsmtemp_local_t.data += static_cast<std::ptrdiff_t>(igp) * problem.nbands;
  problem.vcoul_loc = {one, 1};
  problem.ngpown = 1;
  return power2(problem);
}

__global__ void weigh(const Sums* kept, Array1<const double> vcoul, Sums* weighed) {
  Sums sums{};
  for (int igp = 0; igp < vcoul.size; ++igp)
    for (int iw = 0; iw < max_frequencies; ++iw) {
      sums.asx[iw] += vcoul(igp) * kept[igp].asx[iw];
      sums.ach[iw] += vcoul(igp) * kept[igp].ach[iw];
    }
  *weighed = sums;
}

Sums* keep(const Problem& problem) {
  const double weight = 1;
  double* one = nullptr;
  cudaMalloc(&one, sizeof(weight));
  cudaMemcpy(one, &weight, sizeof(weight), cudaMemcpyHostToDevice);
  std::vector<Sums> all;
  for (int igp = 0; igp < problem.ngpown; ++igp) all.push_back(of_own_g(problem, igp, one));
  Sums* kept = nullptr;
  cudaMalloc(&kept, (all.size() + 1) * sizeof(Sums));
  cudaMemcpy(kept, all.data(), all.size() * sizeof(Sums), cudaMemcpyHostToDevice);
  return kept;
}

Sums kept_on_the_device(const Problem& problem) {
  static std::map<long long, Sums*> of_sizes;
  const auto [known, first] = of_sizes.try_emplace(problem.terms());
  if (first) known->second = keep(problem);
  Sums* const weighed = known->second + problem.ngpown;
  weigh<<<1, 1>>>(known->second, problem.vcoul_loc, weighed);
  Sums sums{};
  cudaMemcpy(&sums, weighed, sizeof(sums), cudaMemcpyDeviceToHost);
  return sums;
}
