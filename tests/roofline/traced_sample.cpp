#include "tests/roofline/traced_sample.h"

#include <cmath>

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

}  // namespace roofline::traced
