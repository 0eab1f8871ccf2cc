// add: c = a + b: two numbers read and one written for one addition.
//
// Operations: 1 fp32 per element; 12 bytes.

#include "examples/stream/cuda/elements.cuh"

namespace gpp::stream::cuda {
namespace {

struct Add {
  __device__ float operator()(const Arrays& arrays, long long i) const {
    return arrays.a[i] + arrays.b[i];
  }
};

}  // namespace

void add(const Arrays& arrays) { for_each_element(arrays, Add{}); }
GPP_VARIANT(add);

}  // namespace gpp::stream::cuda
