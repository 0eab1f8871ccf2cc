// How much memory an input takes, and whether it is there: asked before anything is allocated.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "gpp/input.h"
#include "roofline/base/machine.h"

namespace gpp {

/// Bytes that an input of these dimensions, its PreparedProblem and the copy on a host that
/// variants work on (gpp/placed_problem.h) take together. Only the dimensions of records 1 and 2
/// are looked at; they must be valid (data/validate.h). Saturates at the largest 64-bit integer.
std::int64_t memory_estimate(const Input& dimensions);

/// Throws InputError, saying how much is needed and how much is there, when `bytes` exceeds
/// `available`. `source` names the input in the message.
void require_memory(std::int64_t bytes, std::string_view source,
                    std::int64_t available = roofline::available_memory());

}  // namespace gpp
