// A part of the problem, for counters that take too long on the whole.
#pragma once

#include <cstdint>

#include "gpp/input.h"

namespace gpp {

/// The number of G' in a slice with at most `terms` terms: at least one, at most all.
int own_g_of_slice(const Input& input, std::int64_t terms);

/// The input with `ngpown` of its G', evenly spread, and with every G, band and frequency. A
/// variant does the same work per term in it.
Input slice_of(const Input& input, int ngpown);

}  // namespace gpp
