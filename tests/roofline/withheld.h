// Reasons why a test cannot count on a GPU that are not failures.
#pragma once

#include <string>

namespace roofline::test {

/// True where the recorder's reason is that the machine withholds its counters.
inline bool is_withheld(const std::string& reason) {
  return reason.find("may not read the GPU's counters") != std::string::npos ||
         reason.find("another program holds") != std::string::npos;
}

}  // namespace roofline::test
