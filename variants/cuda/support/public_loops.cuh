// The loops of the public gpp0 to gpp4 (Yang 2020): one index for all collapsed loops, 65535 blocks
// of 128 threads with strides, and the innermost loop over frequencies, which does all loads and
// computes m.
#pragma once

#include "gpp/problem.h"
#include "gpp/sums.h"
#include "variants/cuda/support/reduction.cuh"

namespace gpp::cuda {

namespace detail {

inline constexpr int public_threads = 128;

/// Prevents reuse of earlier loads. nvcc would move loads common to all frequencies out of their
/// loop; nvfortran does not, as the public code's counts show (docs/reproduction.md).
__device__ inline void load_anew() { asm volatile("" ::: "memory"); }

template <auto form, int nfreq>
__device__ void add_frequencies(const Problem& problem, int ig, int igp, int n1,
                                SumsOf<nfreq>& sums) {
  for (int iw = 0; iw < nfreq; ++iw) {
    load_anew();
    const Term term = form(problem.wtilde_array(ig, igp), problem.I_eps_array(ig, igp),
                           problem.wx_array(iw, n1), problem.limits);
    const Complex m = conj(problem.aqsmtemp_local(igp, n1)) * problem.aqsntemp(ig, n1);
    sums.asx[iw] -= problem.vcoul_loc(igp) * problem.occ_array(n1) * term.ssx * m;
    sums.ach[iw] += problem.vcoul_loc(igp) * 0.5 * term.sch * m;
  }
}

/// The form with its pole, which every term computes anew.
template <auto make_pole, auto form>
__device__ Term<double> with_pole(Complex wtilde, Complex I_eps, double wx, const Limits& limits) {
  return form(make_pole(wtilde, I_eps, limits), wx, limits);
}

namespace triples {
template <auto form, int nfreq>
__global__ void kernel(Problem problem, SumsOf<nfreq>* partial) {
  SumsOf<nfreq> sums{};
  const long long count = 1LL * problem.nbands * problem.ngpown * problem.ncouls;
  const long long stride = gridDim.x * blockDim.x;
  for (long long i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride)
    add_frequencies<form>(problem, i % problem.ncouls, i / problem.ncouls % problem.ngpown,
                          i / problem.ncouls / problem.ngpown, sums);
  store_block_sum(sums, partial);
}

}  // namespace triples

namespace pairs {
template <auto form, int nfreq>
__global__ void kernel(Problem problem, SumsOf<nfreq>* partial) {
  SumsOf<nfreq> sums{};
  const long long count = 1LL * problem.ngpown * problem.ncouls;
  const long long stride = gridDim.x * blockDim.x;
  for (long long i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride)
    for (int n1 = 0; n1 < problem.nbands; ++n1)
      add_frequencies<form>(problem, i % problem.ncouls, i / problem.ncouls, n1, sums);
  store_block_sum(sums, partial);
}

}  // namespace pairs

}  // namespace detail

/// collapse(3): each (n1, igp, ig) is an iteration. `form(wtilde, I_eps, wx, limits)` gives a term.
template <auto form>
Sums sum_triples(const Problem& problem) {
  return for_frequencies_of(problem, [&]<int nfreq>() {
    return sum_strided(detail::triples::kernel<form, nfreq>, detail::public_threads, problem,
                       1LL * problem.nbands * problem.ngpown * problem.ncouls);
  });
}

/// collapse(2): each (igp, ig) is an iteration with a loop over bands.
template <auto form>
Sums sum_pairs(const Problem& problem) {
  return for_frequencies_of(problem, [&]<int nfreq>() {
    return sum_strided(detail::pairs::kernel<form, nfreq>, detail::public_threads, problem,
                       1LL * problem.ngpown * problem.ncouls);
  });
}

}  // namespace gpp::cuda
