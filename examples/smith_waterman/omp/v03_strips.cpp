// v3 strips: four rows go from column to column together.
//
// What a cell passes to the one below stays in a register. Only the last row of a strip goes
// through memory.

#include "examples/smith_waterman/omp/strips.h"

namespace gpp::smith_waterman::omp {

void strips(const Pairs& pairs) { for_groups<int>(pairs, align_in_strips<int>); }

}  // namespace gpp::smith_waterman::omp
