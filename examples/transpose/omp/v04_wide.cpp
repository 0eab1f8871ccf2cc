// v4: tiles of 64 x 64 numbers.
//
// A thread reads and writes 256 bytes of a row, four cache lines instead of two. The buffer is four
// times as large and still fits into L1.
//
// Made from v2_shared.
//
// Operations: none; 8 bytes per element.

#include "examples/transpose/omp/tiles.h"

namespace gpp::transpose::omp {

void wide(const Matrices& matrices) { turn_all<64>(matrices); }
GPP_VARIANT(wide);

}  // namespace gpp::transpose::omp
