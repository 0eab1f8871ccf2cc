// block_float: block in single precision.
//
// Made from block.
//
// Operations: 18 fp32 per pair; 64 bytes per body.

#include "examples/nbody/omp/block.h"

namespace gpp::nbody::omp {

void block_float(const Bodies& bodies) { block_step(bodies.in_float); }
GPP_VARIANT(block_float);

}  // namespace gpp::nbody::omp
