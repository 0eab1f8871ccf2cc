// The work that the example measures.
#pragma once

#include <string>

constexpr int n = 1 << 25;  ///< elements per array, far more than caches hold

/// Each function returns an error message, or "".
std::string triad_on_gpu();
std::string triad_on_host();
