// orig_float: orig in single precision.
//
// Made from orig.
//
// Operations: 18 fp32 per pair; 48 bytes per body.

#include "examples/nbody/cuda/orig.cuh"

namespace gpp::nbody::cuda {

void orig_float(const Bodies& bodies) { launch_for_bodies(orig_kernel<float>, bodies.in_float); }
GPP_VARIANT(orig_float);

}  // namespace gpp::nbody::cuda
