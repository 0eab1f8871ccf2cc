// Estimates the memory of an input and checks that it is available, before any allocation.
#pragma once

#include <cstdint>

#include "gpp/input.h"

namespace gpp {

/// The bytes of an input with these dimensions, of its PreparedProblem, and of the host's copy for
/// variants (gpp/placed_problem.h). It reads only the dimensions of records 1 and 2, which must be
/// valid (data/validate.h). Saturates at the largest 64-bit integer.
std::int64_t memory_estimate(const Input& dimensions);

}  // namespace gpp
