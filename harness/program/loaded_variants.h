// Variants that need large libraries lie in a library of their own, so that the program starts
// quickly, and runs without these libraries.
#pragma once

#include <string>

#include "harness/variant.h"

namespace gpp {

/// The call of a step in a library beside the program, such as "libgpp_epsilon_cuda.so"
/// (cmake/Catalog.cmake). The first call loads the library, and throws std::runtime_error if that
/// fails.
Call loaded_call(std::string library, std::string step);

}  // namespace gpp
