#include "tests/roofline/traced_sample.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace roofline::traced {

void axpy(int n, double a, const double* x, double* y) {
  for (int i = 0; i < n; ++i) y[i] = a * x[i] + y[i];
}

void divide(int n, const float* x, float* y) {
  for (int i = 0; i < n; ++i) y[i] = x[i] / y[i];
}

double lengths(int n, const double* x) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += std::hypot(x[i], 1.0);
  return sum;
}

double sum_of_copies(int n, const double* x) {
  constexpr int group = 64;
  double sum = 0, copy[group];
  for (int i = 0; i + group <= n; i += group) {
    std::copy(x + i, x + i + group, copy);
    for (const double one : copy) sum += one;
  }
  return sum;
}

void copy_and_fill(int n, const double* x, double* y, char* z) {
  std::memcpy(y, x, sizeof(double) * static_cast<std::size_t>(n));
  std::fill(z, z + sizeof(double) * static_cast<std::size_t>(n), char{0});
}

}  // namespace roofline::traced
