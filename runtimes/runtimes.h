// The runtimes of variants. The catalogs determine which runtimes are linked.
#pragma once

#include "runtimes/runtime.h"

namespace gpp {

const Runtime& host_runtime();     ///< this process's cores and memory
const Runtime& cuda_runtime();     ///< the current CUDA device, for CUDA and Thrust
const Runtime& omp_gpu_runtime();  ///< OpenMP's default device, which must be a GPU

}  // namespace gpp
