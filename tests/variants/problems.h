// Small random problems of any shape, made to reach the corners of the definition.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gpp/input.h"

namespace gpp::test {

/// The kinds of plasmon poles of a problem.
enum class Poles {
  real,       ///< real, a third of them the invalid mark 1e12, some exactly 0, some close to a wx
  complex,    ///< the same with imaginary parts, some purely imaginary
  imaginary,  ///< purely imaginary only
  invalid,    ///< the mark 1e12 everywhere
  zero,       ///< 0 everywhere
  tiny,       ///< so small that a term close to wx = 0 is in neither branch
};

/// Where the state looked at lies, and with it the sign of wx.
enum class State {
  band_edge,  ///< at the highest occupied band: wx >= 0 for all occupied bands at iw >= 2
  deep,       ///< in the middle of the occupied bands: wx < 0 and the cutoff among them
  at_band,    ///< exactly at a band: wx = 0 at iw = 2, which becomes TOL_Zero
};

/// Whether indices are the identity, a permutation, or lead outside here and there.
enum class Map { identity, permutation, outside };

struct Shape {
  std::string name;
  int ncouls = 33;
  int ngpown = 7;
  int nbands = 20;
  int nstart = 2;
  int nend = 3;
  int occupied = 6;       ///< bands of occupation 1 or 1/2
  int half_occupied = 0;  ///< the last ones among them
  Poles poles = Poles::real;
  State state = State::band_edge;
  Map map = Map::permutation;
};

/// A consistent input of this shape: the same for the same shape and seed. aqsm differs from aqsn,
/// array dimensions are larger than the used part where the format allows it, initial sums are 0.
Input random_input(const Shape& shape, std::uint64_t seed);

/// The shapes every variant must master, each for a reason its name gives.
const std::vector<Shape>& odd_shapes();

}  // namespace gpp::test
