// Small random problems of any shape, made to reach the corners of the definition: `gpp check` and
// the tests run variants on them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gpp/input.h"

namespace gpp {

/// The kinds of plasmon poles of a problem.
enum class ShapePoles {
  real,       ///< real, a third of them the invalid mark 1e12, some exactly 0, some close to a wx
  complex,    ///< the same with imaginary parts, some purely imaginary
  imaginary,  ///< purely imaginary only
  invalid,    ///< the mark 1e12 everywhere
  zero,       ///< 0 everywhere
  tiny,       ///< so small that a term close to wx = 0 is in neither branch
};

/// The place of the state looked at, and with it the sign of wx.
enum class ShapeState {
  band_edge,  ///< at the highest occupied band: wx >= 0 for all occupied bands at iw >= 2
  deep,       ///< in the middle of the occupied bands: wx < 0 and the cutoff among them
  at_band,    ///< exactly at a band: wx = 0 at iw = 2, which becomes TOL_Zero
};

/// How the energies of the bands lie.
enum class ShapeBands {
  ascending,  ///< a gap of 2 eV above the occupied ones
  mixed,      ///< the same, but occupied and empty bands follow each other in any order
  equal,      ///< all occupied bands at one energy, all empty ones at another
  far,        ///< the empty ones 1e6 eV above
};

/// Whether indices are the identity, a permutation, or lead outside here and there.
enum class ShapeMap { identity, permutation, outside };

struct Shape {
  std::string name;
  std::string meaning = {};  ///< what is awkward about it, for people
  std::string hint = {};     ///< where a variant that fails on it should be looked at
  int ncouls = 33;
  int ngpown = 7;
  int nbands = 20;
  int nstart = 2;
  int nend = 3;
  int occupied = 6;       ///< bands of occupation 1 or 1/2
  int half_occupied = 0;  ///< the last ones among them
  ShapePoles poles = ShapePoles::real;
  ShapeState state = ShapeState::band_edge;
  ShapeMap map = ShapeMap::permutation;
  ShapeBands bands = ShapeBands::ascending;
};

/// A consistent input of this shape: the same for the same shape and seed. aqsm differs from aqsn,
/// array dimensions are larger than the used part where the format allows it, initial sums are 0.
Input random_input(const Shape& shape, std::uint64_t seed);

/// The shapes every variant must master, each for a reason its name gives.
const std::vector<Shape>& odd_shapes();

}  // namespace gpp
