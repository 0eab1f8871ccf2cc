// The share of a thread in the factored steps (v11, v12): one G and several G', all of which use
// its loads for that G.
#pragma once

#include "gpp/factored_problem.h"

namespace gpp::cuda {

inline constexpr int ig_tile = 32;     ///< G per block: one per lane
inline constexpr int block_warps = 8;  ///< warps per block, each with its own G'
inline constexpr int block_threads = ig_tile * block_warps;
inline constexpr int resident_blocks = 2;  ///< blocks per multiprocessor: 128 registers per thread

/// One thread's share: one ig and `depth` igp. Indices outside of the problem use its last
/// column.
template <int depth>
struct Share {
  static constexpr int igp_tile = block_warps * depth;  ///< igp per block

  const FactoredProblem& problem;
  int block_ig = static_cast<int>(blockIdx.y) * ig_tile;    ///< first ig of the block
  int block_igp = static_cast<int>(blockIdx.x) * igp_tile;  ///< first igp of the block
  int own_ig = block_ig + static_cast<int>(threadIdx.x);
  int own_igp = block_igp + static_cast<int>(threadIdx.y) * depth;  ///< first igp of thread

  __device__ int ig() const { return min(own_ig, problem.ncouls - 1); }
  __device__ int igp(int k) const { return min(own_igp + k, problem.ngpown - 1); }
  __device__ bool inside(int k) const {
    return own_ig < problem.ncouls && own_igp + k < problem.ngpown;
  }
  __device__ Complex wtilde(int k) const { return problem.wtilde_array(ig(), igp(k)); }
  __device__ Complex I_eps(int k) const { return problem.I_eps_array(ig(), igp(k)); }
  __device__ double vcoul(int k) const { return problem.vcoul_loc(igp(k)); }
};

}  // namespace gpp::cuda
