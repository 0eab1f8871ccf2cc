// orig: each thread sums all forces on its body, and reads bodies as structures.
//
// A warp's 32 threads need the same body at the same time: three loads, each from one address.
//
// In doubles, with the reciprocal root in single precision, as in Lu and Wolfe 2022.
//
// Operations: 18 fp64 per pair; 96 bytes per body.

#include "examples/nbody/cuda/orig.cuh"

namespace gpp::nbody::cuda {

void orig(const Bodies& bodies) { launch_for_bodies(orig_kernel<double>, bodies.in_double); }
GPP_VARIANT(orig);

}  // namespace gpp::nbody::cuda
