// The names of CUDA graphs in profiles.
#pragma once

#include <string_view>

namespace roofline {

/// How the name of a graph begins whose kernels were counted as one.
inline constexpr std::string_view graph_prefix = "CUDA graph of ";

}  // namespace roofline
