// Functions whose accesses and operations are known; compiled so that they tell them.
#pragma once

namespace roofline::traced {

/// y = a x + y: 2 loads, a store, 2 operations an element.
void axpy(int n, double a, const double* x, double* y);

/// x / y in single precision: 2 loads, a store, a division an element.
void divide(int n, const float* x, float* y);

/// sqrt(x^2 + 1) by the library: a load and a call an element.
double lengths(int n, const double* x);

/// The sum of n numbers, 64 at a time, each of them copied to an array of its own first: a load and
/// an operation an element.
double sum_of_copies(int n, const double* x);

/// Copies n numbers, however many, and fills as many: a load and two stores an element.
void copy_and_fill(int n, const double* x, double* y, char* z);

}  // namespace roofline::traced
