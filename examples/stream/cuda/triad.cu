// triad: c = b + s a: two operations for the three numbers of add.
//
// Made from mul.
//
// Operations: 2 fp32 per element; 12 bytes.

#include "examples/stream/cuda/elements.cuh"

namespace gpp::stream::cuda {
namespace {

struct Triad {
  __device__ float operator()(const Arrays& arrays, long long i) const {
    return arrays.b[i] + factor * arrays.a[i];
  }
};

}  // namespace

void triad(const Arrays& arrays) { for_each_element(arrays, Triad{}); }
GPP_VARIANT(triad);

}  // namespace gpp::stream::cuda
