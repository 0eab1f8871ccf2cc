// pragma_unroll_double: the published unroll in double precision, as its source has it.
//
// Made from block_double.
//
// Operations: 18 fp64 per pair; 128 bytes per body.

#include "examples/nbody/cuda/pragma_unroll.cuh"

namespace gpp::nbody::cuda {

void pragma_unroll_double(const Bodies& bodies) {
  launch_for_bodies(pragma_unroll_kernel<double>, bodies.in_double);
}

}  // namespace gpp::nbody::cuda
