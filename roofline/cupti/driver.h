// The few driver functions that the recorder needs, loaded at run time.
#pragma once

#include <cuda.h>

namespace roofline::cupti {

/// The device on which work runs, as the driver knows it.
struct Target {
  CUcontext context = nullptr;
  CUdevice device = 0;
};

/// Makes sure that a context exists: the calling thread's, or else the primary context of the first
/// device, which the CUDA runtime and LLVM's OpenMP share. Throws RecorderError without driver,
/// device or context.
Target current_target();

/// The current context, or nullptr.
CUcontext current_context();

/// Waits for all work of the context. Throws RecorderError if the work has failed.
void synchronize();

/// The highest CUDA version that the driver supports: 13000 for 13.0; 0 without a driver.
int driver_version();

}  // namespace roofline::cupti
