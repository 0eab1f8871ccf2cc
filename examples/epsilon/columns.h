// Sums over the rows of a matrix, for checking results.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <vector>

#include "examples/epsilon/screening.h"
#include "roofline/base/parallel.h"

namespace gpp::epsilon {

using Number = std::complex<double>;

inline Number number(const Complex& z) { return {z.re, z.im}; }

/// The column sums of a matrix whose rows are multiplied by factors.
struct Columns {
  std::vector<Number> sums;     ///< sum of each column, with weighted rows
  std::vector<double> squares;  ///< sum of squares of each column
};

inline Columns columns_of(const Complex* matrix, const std::vector<Number>& weights,
                          const std::vector<double>& factors, int columns, int pitch) {
  constexpr int together = 64;  // columns that share cache lines
  Columns of;
  of.sums.resize(static_cast<std::size_t>(columns));
  of.squares.resize(static_cast<std::size_t>(columns));
  roofline::parallel_for((columns + together - 1) / together, [&](int block) {
    const int end = std::min(columns, (block + 1) * together);
    for (std::size_t row = 0; row < weights.size(); ++row)
      for (auto j = static_cast<std::size_t>(block * together); j < static_cast<std::size_t>(end);
           ++j) {
        const Number z = factors[row] * number(matrix[row * static_cast<std::size_t>(pitch) + j]);
        of.sums[j] += weights[row] * z;
        of.squares[j] += std::norm(z);
      }
  });
  return of;
}

inline double length_of(const std::vector<Number>& numbers) {
  double sum = 0;
  for (const Number& z : numbers) sum += std::norm(z);
  return std::sqrt(sum);
}

}  // namespace gpp::epsilon
