// The runtimes variants run under. Which of them are linked, the catalogs decide.
#pragma once

#include "runtimes/runtime.h"

namespace gpp {

const Runtime& host_runtime();     ///< this process's own cores and memory
const Runtime& cuda_runtime();     ///< the current CUDA device: CUDA and Thrust
const Runtime& omp_gpu_runtime();  ///< OpenMP's default device, which must be a GPU

}  // namespace gpp
