// What a CUDA runtime knows of a launch. A plug-in brings a runtime of its own, which alone knows
// its kernels: describe.cu is compiled into each, too (in_plugin.cu).
#pragma once

#include <vector>

#include "runtimes/cuda/launch.h"
#include "runtimes/runtime.h"

namespace gpp::cuda {

/// All launches since the last clear_launches(), with the kernels' resources.
std::vector<Launch> launches();
void clear_launches();

Launch describe(const void* kernel, const Shape& shape);
using Describe = Launch (*)(const void* kernel, const Shape& shape);

/// detail::note_launch() of a kernel that this function can describe.
void note_launch_by(const void* kernel, const Shape& shape, Describe describe);

}  // namespace gpp::cuda
