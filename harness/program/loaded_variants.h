// Variants that call large libraries lie in a library of their own: the program starts without
// these, and runs where they are not installed.
#pragma once

#include <string>

#include "harness/variant.h"

namespace gpp {

/// The call of that step in a library beside the program, "libgpp_epsilon_cuda.so"
/// (cmake/Catalog.cmake). It is loaded with the first call, which throws std::runtime_error where
/// that fails.
Call loaded_call(std::string library, std::string step);

}  // namespace gpp
