// The pictures of docs/kernel.md, drawn from the bundled silicon input.
#pragma once

#include <string>
#include <vector>

#include "gpp/problem.h"
#include "harness/kernel.h"

namespace gpp {

/// Both pictures, of the input that a study takes when none is named. The same on every machine,
/// up to the rounding of a coordinate. Throws InputError where that input is not there.
std::vector<Picture> draw_pictures();

/// The loops as a box: ig to the right, igp down, n1 into the depth. Its faces show the arrays that
/// two of the loops decide.
std::string draw_loops(const Problem& problem);

/// sch and ssx of one pole over x = wx, with a dot for every band.
std::string draw_pole(const Problem& problem);

}  // namespace gpp
