// The reciprocal lattice of a simple cubic cell, ordered as the kernel's arrays are.
#pragma once

#include <cstdint>
#include <vector>

namespace gpp {

/// The G vectors of a cell at q = (0, 0, 1/2), the zone boundary.
struct Cell {
  std::vector<double> length2;       ///< |q+G|^2 of each G vector, ascending, Ry
  std::vector<std::int32_t> indinv;  ///< permutation from a G's place in the dielectric matrix's
                                     ///< list (from 0) to its place in `length2` (from 1)
};

/// Makes the `vectors` shortest q+G of a cubic cell with this edge (bohr). The first `listed` of
/// them belong to the dielectric matrix and to `indinv`. Both lists are sorted by length; their
/// order within a shell differs, as in BerkeleyGW.
Cell make_cell(double lattice, int vectors, int listed);

}  // namespace gpp
