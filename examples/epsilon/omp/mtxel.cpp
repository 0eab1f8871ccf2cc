// mtxel: matrix elements by fast Fourier transforms (FFTW).
//
// The sum over G1 is a product of two functions of r. Both are transformed to r, multiplied point
// by point, and transformed back: N log N operations per band instead of N squared. Each thread
// takes whole bands, with a box of its own.
//
// Library: FFTW (Frigo and Johnson 2005), two transforms per band.

#include "examples/epsilon/omp/fft.h"
#include "examples/epsilon/screening.h"

namespace gpp::epsilon::omp {
namespace {

/// Computes psi(r) from psi(G).
void to_points(const Screening& s, const Complex* psi, const Fft& fft, Box& box) {
  for (int i = 0; i < s.points; ++i) box[i] = s.g_at[i] < 0 ? Complex{0, 0} : psi[s.g_at[i]];
  fft.to_points(box);
}

/// Multiplies a by conj(b).
void multiply(Box& a, const Box& b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    a[i] = {b[i].re * a[i].re + b[i].im * a[i].im, b[i].re * a[i].im - b[i].im * a[i].re};
}

}  // namespace

void mtxel(const Screening& s) {
  const Fft& fft = fft_of(s.box);
  const double points = s.points;
  Box v(s.points);
  to_points(s, s.psi_v, fft, v);
#pragma omp parallel
  {
    Box box(s.points);
#pragma omp for schedule(dynamic)
    for (int c = 0; c < s.bands; ++c) {
      to_points(s, s.psi_c + static_cast<std::size_t>(c) * s.n_g_psi, fft, box);
      multiply(box, v);
      fft.to_waves(box);
      Complex* const m = s.result + static_cast<std::size_t>(c) * s.pitch;
      for (int g = 0; g < s.n_g; ++g)
        m[g] = {box[s.point[g]].re / points, box[s.point[g]].im / points};
    }
  }
}
GPP_VARIANT(mtxel);

}  // namespace gpp::epsilon::omp
