// v2: each tile is transposed in a buffer that stays in L1.
//
// A thread reads its tile along the rows of `in` into the buffer, and writes it along the rows of
// `out`, both in whole cache lines. It accesses columns only in L1.
//
// Operations: none; 8 bytes per element.

#include "examples/transpose/omp/tiles.h"

namespace gpp::transpose::omp {

void shared(const Matrices& matrices) { turn_all<32>(matrices); }
GPP_VARIANT(shared);

}  // namespace gpp::transpose::omp
