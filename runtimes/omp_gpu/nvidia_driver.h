// What OpenMP has no question for: the name, the memory and the driver of an NVIDIA GPU.
#pragma once

#include <string>

namespace gpp::omp_gpu {

/// One GPU as NVIDIA's driver describes it.
struct NvidiaDevice {
  std::string name;  ///< "NVIDIA H200"
  int multiprocessors = 0;
  int compute_capability = 0;  ///< 90 for 9.0
  long long memory_bytes = 0;
  long long free_bytes = 0;  ///< 0 where it cannot be asked
  std::string driver;        ///< the CUDA version it runs: "CUDA 13.0"
};

/// Asks the driver for GPU number `device`. False, with the reason, where there is none. The driver
/// is loaded at run time, for a program must start without one.
bool ask_nvidia_driver(int device, NvidiaDevice& found, std::string& reason);

}  // namespace gpp::omp_gpu
