// Element-wise operations on all threads.

#include "examples/stream/arrays.h"

namespace gpp::stream::omp {

/// Sets c(i) = value(i) for every element.
template <class Value>
static void for_each_element(const Arrays& arrays, const Value& value) {
  float* const c = arrays.c;
#pragma omp parallel for simd schedule(static)
  for (long long i = 0; i < arrays.n; ++i) c[i] = value(i);
}

// add: c = a + b: two numbers read and one written for one addition.
//
// Operations: 1 fp32 per element; 12 bytes.
void add(const Arrays& arrays) {
  for_each_element(arrays, [&arrays](long long i) { return arrays.a[i] + arrays.b[i]; });
}
GPP_VARIANT(add);

// mul: c = s b: reads one number less than add, for one multiplication.
//
// Made from add.
// Operations: 1 fp32 per element; 8 bytes.
void mul(const Arrays& arrays) {
  for_each_element(arrays, [&arrays](long long i) { return factor * arrays.b[i]; });
}
GPP_VARIANT(mul);

// triad: c = b + s a: two operations for the three numbers of add.
//
// Made from mul.
// Operations: 2 fp32 per element; 12 bytes.
void triad(const Arrays& arrays) {
  for_each_element(arrays, [&arrays](long long i) { return arrays.b[i] + factor * arrays.a[i]; });
}
GPP_VARIANT(triad);

}  // namespace gpp::stream::omp
