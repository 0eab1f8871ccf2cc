// pragma_unroll: the published step unroll, which is block with a pragma that unrolls the loop over
// a tile.
//
// Harris 2014, as in Lu and Wolfe 2022. Our own unroll, v4, also changes which pairs meet.
//
// Made from block.
//
// Operations: 18 fp64 per pair; 128 bytes per body.

#include "examples/nbody/cuda/pragma_unroll.cuh"

namespace gpp::nbody::cuda {

void pragma_unroll(const Bodies& bodies) {
  launch_for_bodies(pragma_unroll_kernel<double>, bodies.in_double);
}
GPP_VARIANT(pragma_unroll);

}  // namespace gpp::nbody::cuda
