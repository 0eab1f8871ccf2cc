// inversion: epsilon and its inverse, by LU factorisation (LAPACK).
//
// Elimination with pivots factors epsilon into two triangular matrices, which are inverted row by
// row. Most work is products of blocks, but each block of columns waits for the previous one, so
// this step scales worst of the three.
//
// Library: zgetrf and zgetri of OpenBLAS's LAPACK, 8 N_G^3 operations.

#include <cblas.h>
#include <lapacke.h>

#include <omp.h>

#include <vector>

#include "examples/epsilon/screening.h"

namespace gpp::epsilon::omp {

void inversion(const Screening& s) {
  const int n = s.n_g;
#pragma omp parallel for
  for (int row = 0; row < n; ++row)
    for (int column = 0; column < n; ++column) {
      const std::size_t i = static_cast<std::size_t>(row) * s.pitch + column;
      s.result[i] = {(row == column ? 1 : 0) - s.coulomb[row] * s.chi[i].re,
                     -s.coulomb[row] * s.chi[i].im};
    }

  // LAPACK stores matrices by columns and so sees each one transposed, the inverse too.
  openblas_set_num_threads(omp_get_max_threads());
  auto* const matrix = reinterpret_cast<lapack_complex_double*>(s.result);
  std::vector<lapack_int> pivots(static_cast<std::size_t>(n));
  LAPACKE_zgetrf(LAPACK_COL_MAJOR, n, n, matrix, s.pitch, pivots.data());
  LAPACKE_zgetri(LAPACK_COL_MAJOR, n, matrix, s.pitch, pivots.data());
}
GPP_VARIANT(inversion);

}  // namespace gpp::epsilon::omp
