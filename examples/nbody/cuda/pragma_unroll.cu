// pragma_unroll: the published unroll, which is block with a pragma that writes the loop over a
// tile out.
//
// Harris 2014, as Lu and Wolfe 2022 show it. Ours, v4, changes who meets whom as well.
//
// Made from block.
//
// Operations: 18 fp64 per pair; 128 bytes per body.

#include "examples/nbody/cuda/pragma_unroll.cuh"

namespace gpp::nbody::cuda {

void pragma_unroll(const Bodies& bodies) {
  launch_for_bodies(pragma_unroll_kernel<double>, bodies.in_double);
}

}  // namespace gpp::nbody::cuda
