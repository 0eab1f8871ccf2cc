// The reciprocal lattice of a simple cubic cell, ordered as the kernel's arrays are.
#pragma once

#include <cstdint>
#include <vector>

namespace gpp {

/// The G vectors of a cell at q = (0, 0, 1/2), the zone boundary.
struct Cell {
  std::vector<double> length2;       ///< |q+G|^2 by G vector, ascending, Ry
  std::vector<std::int32_t> indinv;  ///< from the place in the dielectric matrix's list of G (from
                                     ///< 0) to the place in `length2` (from 1): a permutation
};

/// The shortest `vectors` q+G of a cubic cell with that edge (bohr); the first `listed` of them are
/// those of the dielectric matrix and of `indinv`. Both lists go by length; within a shell their
/// orders differ, as they do in BerkeleyGW.
Cell make_cell(double lattice, int vectors, int listed);

}  // namespace gpp
