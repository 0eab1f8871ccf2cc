// orig: each thread goes over all bodies for its own, and reads them as the structures they are.
//
// A warp's 32 threads want the same body at the same time: three loads, of which one address each
// is asked for.
//
// Operations: 18 fp32 per pair; 48 bytes per body.

#include "examples/nbody/cuda/orig.cuh"

namespace gpp::nbody::cuda {

void orig(const Bodies& bodies) { launch_for_bodies(orig_kernel<float>, bodies.in_float); }

}  // namespace gpp::nbody::cuda
