// mul: c = s b: reads one number less than add, for one multiplication.
//
// Made from add.
//
// Operations: 1 fp32 per element; 8 bytes.

#include "examples/stream/cuda/elements.cuh"

namespace gpp::stream::cuda {
namespace {

struct Mul {
  __device__ float operator()(const Arrays& arrays, long long i) const {
    return factor * arrays.b[i];
  }
};

}  // namespace

void mul(const Arrays& arrays) { for_each_element(arrays, Mul{}); }
GPP_VARIANT(mul);

}  // namespace gpp::stream::cuda
