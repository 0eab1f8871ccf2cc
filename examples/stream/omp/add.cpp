// add: c = a + b: two numbers read and one written for one addition.
//
// Operations: 1 fp32 per element; 12 bytes.

#include "examples/stream/omp/elements.h"

namespace gpp::stream::omp {

void add(const Arrays& arrays) {
  for_each_element(arrays, [&arrays](long long i) { return arrays.a[i] + arrays.b[i]; });
}
GPP_VARIANT(add);

}  // namespace gpp::stream::omp
