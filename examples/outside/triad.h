// The work that the example counts.
#pragma once

#include <string>

constexpr int n = 1 << 25;  ///< elements of each array: far more than caches hold

/// Each returns what went wrong, or "".
std::string triad_on_gpu();
std::string triad_on_host();
