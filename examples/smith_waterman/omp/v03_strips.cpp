// v3 strips: four rows go from column to column together.
//
// A cell passes its values to the cell below in a register. Only the last row of a strip goes
// through memory.

#include "examples/smith_waterman/omp/strips.h"

namespace gpp::smith_waterman::omp {

void strips(const Pairs& pairs) { for_groups<int>(pairs, align_in_strips<int>); }
GPP_VARIANT(strips);

}  // namespace gpp::smith_waterman::omp
