// mul: c = s b: reads one number less than add, for one multiplication.
//
// Made from add.
//
// Operations: 1 fp32 per element; 8 bytes.

#include "examples/stream/omp/elements.h"

namespace gpp::stream::omp {

void mul(const Arrays& arrays) {
  for_each_element(arrays, [&arrays](long long i) { return factor * arrays.b[i]; });
}
GPP_VARIANT(mul);

}  // namespace gpp::stream::omp
