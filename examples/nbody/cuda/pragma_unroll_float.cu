// pragma_unroll_float: the published unroll in single precision.
//
// Made from block_float.
//
// Operations: 18 fp32 per pair; 64 bytes per body.

#include "examples/nbody/cuda/pragma_unroll.cuh"

namespace gpp::nbody::cuda {

void pragma_unroll_float(const Bodies& bodies) {
  launch_for_bodies(pragma_unroll_kernel<float>, bodies.in_float);
}
GPP_VARIANT(pragma_unroll_float);

}  // namespace gpp::nbody::cuda
