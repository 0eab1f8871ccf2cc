// orig: each thread goes over all bodies for its own, and reads them as the structures they are.
//
// A warp's 32 threads want the same body at the same time: three loads, of which one address each
// is asked for.
//
// In doubles, with the reciprocal root in single precision, as Lu and Wolfe 2022 show it.
//
// Operations: 18 fp64 per pair; 96 bytes per body.

#include "examples/nbody/cuda/orig.cuh"

namespace gpp::nbody::cuda {

void orig(const Bodies& bodies) { launch_for_bodies(orig_kernel<double>, bodies.in_double); }

}  // namespace gpp::nbody::cuda
