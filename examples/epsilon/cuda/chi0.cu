// chi0: the sum over pairs as one product of matrices (cuBLAS).
//
// chi is the conjugate transpose of M times the weighted M, with one weight per pair. Nearly all
// operations of Epsilon are in this product. A matrix library does them on the tensor cores and
// uses each number many times once it is in a multiprocessor.
//
// Library: zgemm of cuBLAS, 8 operations for each pair, G and G'; one of our kernels before it.

#include "examples/epsilon/cuda/libraries.h"

namespace gpp::epsilon::cuda {
namespace {

/// Computes M times the weight of each pair.
__global__ void weigh(Screening s, Complex* weighted) {
  const std::size_t i = element_of_thread();
  if (i >= static_cast<std::size_t>(s.bands) * s.pitch) return;
  const double weight = s.weight[i / s.pitch];
  weighted[i] = {weight * s.m[i].re, weight * s.m[i].im};
}

}  // namespace

void chi0(const Screening& s) {
  const std::size_t elements = static_cast<std::size_t>(s.bands) * s.pitch;
  const auto weighted = scratch<Complex>(elements);
  weigh<<<blocks_for(elements, threads_per_block), threads_per_block>>>(s, weighted.get());
  check(cudaGetLastError(), "starting a kernel");

  // cuBLAS stores matrices by columns and so sees each one transposed; chi's factors swap places.
  static const cublasHandle_t cublas = started(cublasCreate, "starting cuBLAS");
  constexpr cuDoubleComplex one{1, 0}, zero{0, 0};
  check_library(cublasZgemm(cublas, CUBLAS_OP_N, CUBLAS_OP_C, s.n_g, s.n_g, s.bands, &one,
                            numbers(weighted.get()), s.pitch, numbers(s.m), s.pitch, &zero,
                            numbers(s.result), s.pitch),
                "the product of cuBLAS");
}
GPP_VARIANT(chi0);

}  // namespace gpp::epsilon::cuda
