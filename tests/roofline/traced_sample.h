// Functions whose accesses and operations are known; compiled so that they tell them.
#pragma once

namespace roofline::traced {

/// y = a x + y: 2 loads, a store, 2 operations an element.
void axpy(int n, double a, const double* x, double* y);

/// x / y in single precision: 2 loads, a store, a division an element.
void divide(int n, const float* x, float* y);

/// sqrt(x^2 + 1) by the library: a load and a call an element.
double lengths(int n, const double* x);

}  // namespace roofline::traced
