// A part of the problem, for counts that take too long on the whole.
#pragma once

#include <cstdint>

#include "gpp/input.h"

namespace gpp {

/// G' vectors of a slice with at most `terms` terms; one at least, all where the input has no more.
int own_g_of_slice(const Input& input, std::int64_t terms);

/// The input with `ngpown` of its G', evenly spread over all, and with every G, band and frequency:
/// what a variant does for a term is the same in it.
Input slice_of(const Input& input, int ngpown);

}  // namespace gpp
