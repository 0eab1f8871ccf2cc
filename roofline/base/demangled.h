// Names of functions as people write them.
#pragma once

#include <string>

namespace roofline {

/// "f(int)" of "_Z1fi" (Itanium C++ ABI); any other text as it is.
std::string demangled(const std::string& symbol);

}  // namespace roofline
