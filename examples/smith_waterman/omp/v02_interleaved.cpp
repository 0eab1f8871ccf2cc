// v2 interleaved: neighbouring pairs are aligned side by side, one per vector lane.
//
// Their letters and rows are interleaved in memory, so a vector is read as one piece. The cells of
// a vector do not depend on each other.

#include "examples/smith_waterman/omp/lanes.h"

namespace gpp::smith_waterman::omp {

void interleaved(const Pairs& pairs) { align_all<int, 1>(pairs); }
GPP_VARIANT(interleaved);

}  // namespace gpp::smith_waterman::omp
