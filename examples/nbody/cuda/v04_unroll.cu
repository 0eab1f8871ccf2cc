// unroll: each thread keeps five bodies in registers, and the loops over them and over the tile are
// unrolled.
//
// A body read from shared memory serves five independent pairs. There are five times fewer threads,
// so the force of each body is summed in parts: row y of the grid computes part y. A second kernel
// adds the parts and moves the bodies.
//
// Operations: 18 fp64 per pair; 128 bytes per body.

#include "examples/nbody/cuda/unroll.cuh"

namespace gpp::nbody::cuda {

void unroll(const Bodies& bodies) { unroll_step(bodies.in_double); }
GPP_VARIANT(unroll);

}  // namespace gpp::nbody::cuda
