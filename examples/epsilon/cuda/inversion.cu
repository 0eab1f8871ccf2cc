// inversion: epsilon and its inverse, by LU factorisation (cuSOLVER).
//
// Elimination with pivots factors epsilon into two triangular matrices, and solving with them for
// each unit vector gives the inverse. Most work is products of blocks, but each block of columns
// waits for the previous one, so this step scales worst of the three.
//
// Library: zgetrf and zgetrs of cuSOLVER, 32/3 N_G^3 operations; an inverse needs 8 N_G^3.

#include "examples/epsilon/cuda/libraries.h"

namespace gpp::epsilon::cuda {
namespace {

/// Builds epsilon, and a unit matrix in the result's place.
__global__ void build(Screening s, Complex* epsilon) {
  const std::size_t i = element_of_thread(), row = i / s.pitch, column = i % s.pitch;
  if (row >= static_cast<std::size_t>(s.n_g) || column >= static_cast<std::size_t>(s.n_g)) return;
  const double one = row == column ? 1 : 0, v = s.coulomb[row];
  epsilon[i] = {one - v * s.chi[i].re, -v * s.chi[i].im};
  s.result[i] = {one, 0};
}

}  // namespace

void inversion(const Screening& s) {
  const int n = s.n_g;
  const std::size_t elements = static_cast<std::size_t>(n) * s.pitch;
  const auto epsilon = scratch<Complex>(elements);
  build<<<blocks_for(elements, threads_per_block), threads_per_block>>>(s, epsilon.get());
  check(cudaGetLastError(), "starting a kernel");

  // cuSOLVER stores matrices by columns and so sees each one transposed, the inverse too. `refused`
  // is not read, because a singular matrix fails the check anyway.
  static const cusolverDnHandle_t cusolver = started(cusolverDnCreate, "starting cuSOLVER");
  cuDoubleComplex* const matrix = numbers(epsilon.get());
  int room = 0;
  check_library(cusolverDnZgetrf_bufferSize(cusolver, n, n, matrix, s.pitch, &room),
                "asking cuSOLVER for its scratch memory");
  const auto work = scratch<cuDoubleComplex>(room);
  const auto pivots = scratch<int>(n), refused = scratch<int>(1);
  check_library(
      cusolverDnZgetrf(cusolver, n, n, matrix, s.pitch, work.get(), pivots.get(), refused.get()),
      "the elimination of cuSOLVER");
  check_library(cusolverDnZgetrs(cusolver, CUBLAS_OP_N, n, n, matrix, s.pitch, pivots.get(),
                                 numbers(s.result), s.pitch, refused.get()),
                "solving with cuSOLVER");
}
GPP_VARIANT(inversion);

}  // namespace gpp::epsilon::cuda
