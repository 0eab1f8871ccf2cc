// v3 strips: four rows go from column to column together.
//
// A cell passes its values to the cell below in a register. Only the last row of a strip goes
// through memory.

#include "examples/smith_waterman/omp/lanes.h"

namespace gpp::smith_waterman::omp {

void strips(const Pairs& pairs) { align_all<int, 4>(pairs); }
GPP_VARIANT(strips);

}  // namespace gpp::smith_waterman::omp
