// triad: c = b + s a: two operations for the three numbers of add.
//
// Made from mul.
//
// Operations: 2 fp32 per element; 12 bytes.

#include "examples/stream/omp/elements.h"

namespace gpp::stream::omp {

void triad(const Arrays& arrays) {
  for_each_element(arrays, [&arrays](long long i) { return arrays.b[i] + factor * arrays.a[i]; });
}
GPP_VARIANT(triad);

}  // namespace gpp::stream::omp
