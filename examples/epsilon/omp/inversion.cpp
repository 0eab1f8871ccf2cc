// inversion: epsilon and its inverse, by triangles (LAPACK).
//
// Elimination with pivots makes epsilon a product of two triangles, and triangles are inverted row
// by row. Most of it is products of blocks, but each block of columns waits for the one before it:
// of the three steps this one scales worst.
//
// Library: zgetrf and zgetri of LAPACK as OpenBLAS has them, 8 operations for the cube of N_G.

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

  // LAPACK counts by columns and so sees everything turned; the inverse turns with it.
  openblas_set_num_threads(omp_get_max_threads());
  auto* const matrix = reinterpret_cast<lapack_complex_double*>(s.result);
  std::vector<lapack_int> pivots(static_cast<std::size_t>(n));
  LAPACKE_zgetrf(LAPACK_COL_MAJOR, n, n, matrix, s.pitch, pivots.data());
  LAPACKE_zgetri(LAPACK_COL_MAJOR, n, matrix, s.pitch, pivots.data());
}

}  // namespace gpp::epsilon::omp
