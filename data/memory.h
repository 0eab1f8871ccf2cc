// The memory that an input takes, and whether it is there: asked before anything is allocated.
#pragma once

#include <cstdint>

#include "gpp/input.h"

namespace gpp {

/// Bytes that an input of these dimensions, its PreparedProblem and the copy on a host that
/// variants work on (gpp/placed_problem.h) take together. Only the dimensions of records 1 and 2
/// are looked at; they must be valid (data/validate.h). Saturates at the largest 64-bit integer.
std::int64_t memory_estimate(const Input& dimensions);

}  // namespace gpp
