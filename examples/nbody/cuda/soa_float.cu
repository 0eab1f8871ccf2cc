// soa_float: soa in single precision.
//
// Made from soa.
//
// Operations: 18 fp32 per pair; 64 bytes per body.

#include "examples/nbody/cuda/soa.cuh"

namespace gpp::nbody::cuda {

void soa_float(const Bodies& bodies) { launch_for_bodies(soa_kernel<float>, bodies.in_float); }
GPP_VARIANT(soa_float);

}  // namespace gpp::nbody::cuda
