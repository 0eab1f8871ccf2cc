// mtxel: matrix elements by fast Fourier transforms (cuFFT).
//
// The sum over G1 is a product of two functions of r. Both are transformed to r, multiplied point
// by point, and transformed back: N log N operations per band instead of N squared. Bands go in
// batches that fill the machine and fit into its memory.
//
// Library: cuFFT, two transforms per band; three kernels of our own around them.

#include <algorithm>

#include "examples/epsilon/cuda/libraries.h"

namespace gpp::epsilon::cuda {
namespace {

constexpr int boxes_at_once = 128;

/// Puts psi(G) of `count` bands, from `psi` on, into a box per band; other points are 0.
__global__ void spread(Screening s, const Complex* psi, int count, Complex* boxes) {
  const std::size_t i = element_of_thread();
  const std::size_t band = i / s.points, point = i % s.points;
  if (band >= static_cast<std::size_t>(count)) return;
  const int g = s.g_at[point];
  boxes[i] = g < 0 ? Complex{0, 0} : psi[band * s.n_g_psi + g];
}

/// Multiplies each box by conj(v).
__global__ void multiply(Screening s, int count, const Complex* v, Complex* boxes) {
  const std::size_t i = element_of_thread();
  if (i >= count * s.points) return;
  const Complex a = boxes[i], b = v[i % s.points];
  boxes[i] = {b.re * a.re + b.im * a.im, b.re * a.im - b.im * a.re};
}

/// Takes the N_G shortest vectors out of `count` boxes.
__global__ void gather(Screening s, int count, const Complex* boxes, Complex* m) {
  const std::size_t i = element_of_thread();
  const std::size_t band = i / s.n_g, g = i % s.n_g;
  if (band >= static_cast<std::size_t>(count)) return;
  const double points = s.points;
  const Complex sum = boxes[band * s.points + s.point[g]];
  m[band * s.pitch + g] = {sum.re / points, sum.im / points};
}

void transform(const Screening& s, Complex* boxes, int count, int direction) {
  check_library(cufftExecZ2Z(cufft(s.box, count), numbers(boxes), numbers(boxes), direction),
                "a transform of cuFFT");
}

}  // namespace

void mtxel(const Screening& s) {
  const auto v = scratch<Complex>(s.points);
  spread<<<blocks_for(s.points, threads_per_block), threads_per_block>>>(s, s.psi_v, 1, v.get());
  transform(s, v.get(), 1, CUFFT_INVERSE);

  const auto boxes = scratch<Complex>(boxes_at_once * s.points);
  for (int first = 0; first < s.bands; first += boxes_at_once) {
    const int count = std::min(boxes_at_once, s.bands - first);
    const unsigned blocks = blocks_for(count * s.points, threads_per_block);
    const Complex* const psi = s.psi_c + static_cast<std::size_t>(first) * s.n_g_psi;
    Complex* const m = s.result + static_cast<std::size_t>(first) * s.pitch;
    spread<<<blocks, threads_per_block>>>(s, psi, count, boxes.get());
    transform(s, boxes.get(), count, CUFFT_INVERSE);
    multiply<<<blocks, threads_per_block>>>(s, count, v.get(), boxes.get());
    transform(s, boxes.get(), count, CUFFT_FORWARD);
    gather<<<blocks_for(static_cast<std::size_t>(count) * s.n_g, threads_per_block),
             threads_per_block>>>(s, count, boxes.get(), m);
  }
  check(cudaGetLastError(), "starting a kernel");
}
GPP_VARIANT(mtxel);

}  // namespace gpp::epsilon::cuda
