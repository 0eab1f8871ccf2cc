// The few calls of the CUDA driver that the recorder needs, loaded at run time as well.
#pragma once

#include <cuda.h>

namespace roofline::cupti {

/// The device that work runs on, as the driver knows it.
struct Target {
  CUcontext context = nullptr;
  CUdevice device = 0;
};

/// Makes sure that there is a context: the calling thread's own, else the primary context of the
/// first device, which the CUDA runtime and LLVM's OpenMP share. Throws RecorderError where there
/// is neither driver nor device nor context.
Target current_target();

/// The context that is current now; nullptr without one.
CUcontext current_context();

/// Waits for all work of the context. Throws RecorderError when the work has failed.
void synchronize();

/// The CUDA version that the driver supports: 13000 for 13.0; 0 without a driver.
int driver_version();

}  // namespace roofline::cupti
