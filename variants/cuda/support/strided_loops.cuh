// The loops of the public gpp6 to gpp8 (Yang 2020): blocks of 128 in ig and 64 in n1, used as
// strides.
#pragma once

#include "gpp/forms/power2.h"
#include "gpp/problem.h"
#include "gpp/sums.h"
#include "variants/cuda/support/reduction.cuh"

namespace gpp::cuda {

namespace detail::strided {

inline constexpr int ig_stride = 128;
inline constexpr int n1_stride = 64;

template <bool swapped>
__global__ void kernel(Problem problem, int iw, FrequencySums* partial) {
  FrequencySums sums{};
  const long long starts = 1LL * n1_stride * problem.ngpown * ig_stride;
  const long long stride = gridDim.x * blockDim.x;
  for (long long i = blockIdx.x * blockDim.x + threadIdx.x; i < starts; i += stride) {
    const int igp = i / ig_stride % problem.ngpown;
    const double vcoul = problem.vcoul_loc(igp);
    for (int ig = i % ig_stride; ig < problem.ncouls; ig += ig_stride)
      for (int n1 = i / ig_stride / problem.ngpown; n1 < problem.nbands; n1 += n1_stride) {
        const Complex aqsm =
            swapped ? problem.aqsmtemp_local_t(n1, igp) : problem.aqsmtemp_local(igp, n1);
        const double wx = swapped ? problem.wx_array_t(n1, iw) : problem.wx_array(iw, n1);
        const Complex m = conj(aqsm) * problem.aqsntemp(ig, n1);
        const double occ = problem.occ_array(n1);
        const Pole pole = make_squared_pole(problem.wtilde_array(ig, igp),
                                            problem.I_eps_array(ig, igp), problem.limits);
        const Term term = power2(pole, wx, problem.limits);
        sums.asx -= vcoul * occ * term.ssx * m;
        sums.ach += vcoul * 0.5 * term.sch * m;
      }
  }
  store_block_sum(sums, partial);
}

}  // namespace detail::strided

/// collapse(3): each (first n1, igp, first ig) is an iteration, in at most 65535 blocks. With
/// `swapped`, wx and aqsm are stored with the band as the fastest index.
template <bool swapped, int threads>
Sums sum_strided_bands(const Problem& problem) {
  const long long starts =
      1LL * detail::strided::n1_stride * problem.ngpown * detail::strided::ig_stride;
  const dim3 grid(std::min(blocks_for(starts, threads), max_blocks));
  return sum_each_frequency(detail::strided::kernel<swapped>, {grid, threads}, problem);
}

}  // namespace gpp::cuda
