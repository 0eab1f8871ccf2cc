// Facts that a CUDA runtime knows about a launch. A plug-in has its own runtime, which alone knows
// its kernels, so describe.cu is compiled into each plug-in, too (in_plugin.cu).
#pragma once

#include <vector>

#include "runtimes/cuda/launch.h"
#include "runtimes/runtime.h"

namespace gpp::cuda {

/// All launches since clear_launches(), with the kernels' resources.
std::vector<Launch> launches();
void clear_launches();

Launch describe(const void* kernel, const Shape& shape);
using Describe = Launch (*)(const void* kernel, const Shape& shape);

/// Implements detail::note_launch() for a kernel that `describe` knows.
void note_launch_by(const void* kernel, const Shape& shape, Describe describe);

}  // namespace gpp::cuda
