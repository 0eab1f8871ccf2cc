// Element-wise operations on all threads: common code of add, mul and triad.
#pragma once

#include "examples/stream/arrays.h"

namespace gpp::stream::omp {

/// Sets c(i) = value(i) for every element.
template <class Value>
void for_each_element(const Arrays& arrays, const Value& value) {
  float* const c = arrays.c;
#pragma omp parallel for simd schedule(static)
  for (long long i = 0; i < arrays.n; ++i) c[i] = value(i);
}

}  // namespace gpp::stream::omp
