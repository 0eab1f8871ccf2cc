// mtxel: matrix elements by fast Fourier transforms (FFTW).
//
// The sum over G1 is a product of two functions of r. Both are transformed to r, multiplied point
// by point, and transformed back: N log N operations per band instead of N squared. Each thread
// takes whole bands, with a box of its own.
//
// Library: FFTW (Frigo and Johnson 2005), two transforms per band.

#include <fftw3.h>

#include <map>
#include <vector>

#include "examples/epsilon/screening.h"

namespace gpp::epsilon::omp {
namespace {

/// A plan works only on boxes that are aligned as its own was. All are, to 16 bytes as Complex is,
/// and FFTW tells no finer alignments apart.
using Box = std::vector<Complex>;

fftw_complex* numbers(Box& box) { return reinterpret_cast<fftw_complex*>(box.data()); }

/// The transforms of boxes of one size. Any thread may use them.
struct Plans {
  fftw_plan to_points, to_waves;
};

/// The plans of a size, which FFTW chooses at the first call by timing.
Plans plans_of(const Screening& s) {
  static std::map<int, Plans> plans;
  const auto [found, is_new] = plans.try_emplace(s.box);
  if (is_new) {
    Box box(s.points);
    const auto plan = [&](int direction) {
      return fftw_plan_dft_3d(s.box, s.box, s.box, numbers(box), numbers(box), direction,
                              FFTW_MEASURE);
    };
    found->second = {plan(FFTW_BACKWARD), plan(FFTW_FORWARD)};
  }
  return found->second;
}

/// Does not divide by the number of points.
void transform(fftw_plan plan, Box& box) { fftw_execute_dft(plan, numbers(box), numbers(box)); }

/// Computes psi(r) from psi(G).
void to_points(const Screening& s, const Complex* psi, const Plans& plans, Box& box) {
  for (int i = 0; i < s.points; ++i) box[i] = s.g_at[i] < 0 ? Complex{0, 0} : psi[s.g_at[i]];
  transform(plans.to_points, box);
}

/// Multiplies a by conj(b).
void multiply(Box& a, const Box& b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    a[i] = {b[i].re * a[i].re + b[i].im * a[i].im, b[i].re * a[i].im - b[i].im * a[i].re};
}

}  // namespace

void mtxel(const Screening& s) {
  const Plans plans = plans_of(s);
  const double points = s.points;
  Box v(s.points);
  to_points(s, s.psi_v, plans, v);
#pragma omp parallel
  {
    Box box(s.points);
#pragma omp for schedule(dynamic)
    for (int c = 0; c < s.bands; ++c) {
      to_points(s, s.psi_c + static_cast<std::size_t>(c) * s.n_g_psi, plans, box);
      multiply(box, v);
      transform(plans.to_waves, box);
      Complex* const m = s.result + static_cast<std::size_t>(c) * s.pitch;
      for (int g = 0; g < s.n_g; ++g)
        m[g] = {box[s.point[g]].re / points, box[s.point[g]].im / points};
    }
  }
}
GPP_VARIANT(mtxel);

}  // namespace gpp::epsilon::omp
