// chi0: the sum over pairs as one product of matrices (OpenBLAS).
//
// chi is the conjugate transpose of M times the weighted M, with one weight per pair. Nearly all
// operations of Epsilon are in this product. A matrix library does them near the peak and uses each
// number hundreds of times once it is in a core.
//
// Library: zgemm of OpenBLAS, 8 operations for each pair, G and G'.

#include <cblas.h>
#include <omp.h>

#include <vector>

#include "examples/epsilon/screening.h"

namespace gpp::epsilon::omp {

void chi0(const Screening& s) {
  std::vector<Complex> weighted(static_cast<std::size_t>(s.bands) * s.pitch);
#pragma omp parallel for
  for (int c = 0; c < s.bands; ++c)
    for (int g = 0; g < s.n_g; ++g) {
      const std::size_t i = static_cast<std::size_t>(c) * s.pitch + g;
      weighted[i] = {s.weight[c] * s.m[i].re, s.weight[c] * s.m[i].im};
    }

  openblas_set_num_threads(omp_get_max_threads());
  constexpr Complex one{1, 0}, zero{0, 0};
  cblas_zgemm(CblasRowMajor, CblasConjTrans, CblasNoTrans, s.n_g, s.n_g, s.bands, &one, s.m,
              s.pitch, weighted.data(), s.pitch, &zero, s.result, s.pitch);
}
GPP_VARIANT(chi0);

}  // namespace gpp::epsilon::omp
