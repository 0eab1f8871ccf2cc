// Facts that a CUDA runtime knows about past launches.
#pragma once

#include <vector>

#include "runtimes/cuda/launch.h"
#include "runtimes/runtime.h"

namespace gpp::cuda {

/// All launches since clear_launches(), with the kernels' resources.
std::vector<Launch> launches();
void clear_launches();

}  // namespace gpp::cuda
