// Small random problems of any shape that reach the corner cases of the definition. `gpp check` and
// the tests run variants on them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gpp/input.h"

namespace gpp {

/// The kinds of plasmon poles of a problem.
enum class ShapePoles {
  real,       ///< real, a third of them invalid (1e12), some exactly 0, some close to a wx
  complex,    ///< complex poles; some purely imaginary
  imaginary,  ///< all poles are purely imaginary
  invalid,    ///< all 1e12, the mark of invalid poles
  zero,       ///< all poles are 0
  tiny,       ///< so small that a term close to wx = 0 is in neither branch
};

/// The position of the studied state, which decides the signs of wx.
enum class ShapeState {
  band_edge,     ///< at the highest occupied band: wx >= 0 for all occupied bands at iw >= 2
  deep,          ///< among the occupied bands, so that some have wx < 0 and are cut
  at_band,       ///< exactly at the highest occupied band: wx = 0 at iw = 2, which becomes TOL_Zero
  at_deep_band,  ///< exactly at a band among the occupied ones
};

/// The distribution of the bands' energies.
enum class ShapeBands {
  ascending,  ///< with a gap of 2 eV above the occupied bands
  mixed,      ///< like ascending, but with occupied and empty bands in random order
  equal,      ///< all occupied bands at one energy, all empty ones at another
  far,        ///< the empty bands lie 1e6 eV above
};

/// Indices are the identity, a permutation, or partly outside the range.
enum class ShapeMap { identity, permutation, outside };

struct Shape {
  std::string name = {};     ///< in snake case
  std::string meaning = {};  ///< description of its awkward feature
  int ncouls = 33;
  int ngpown = 7;
  int nbands = 20;
  int nstart = 2;
  int nend = 3;
  int occupied = 6;       ///< bands of occupation 1 or 1/2
  int half_occupied = 0;  ///< half occupied bands, the last of these
  ShapePoles poles = ShapePoles::real;
  double at_wx = 0;        ///< share of poles exactly at a positive wx of the first frequency
  double at_minus_wx = 0;  ///< share exactly at -wx of a band with wx < 0
  double tiny = 0;         ///< share of real poles as small as those of ShapePoles::tiny
  ShapeState state = ShapeState::band_edge;
  ShapeMap map = ShapeMap::permutation;
  ShapeBands bands = ShapeBands::ascending;
};

/// Makes a consistent input of this shape, determined by shape and seed. aqsm differs from aqsn,
/// arrays are larger than their used part if the format allows it, and initial sums are 0.
Input random_input(const Shape& shape, std::uint64_t seed);

/// The shapes that every variant must handle; their names give the reasons.
const std::vector<Shape>& odd_shapes();

/// Shapes with poles exactly at energies, where a plain formula divides by 0.
const std::vector<Shape>& exact_shapes();

}  // namespace gpp
