#include "roofline/cupti/driver.h"

#include <fmt/format.h>

#include "roofline/cuda_driver.h"
#include "roofline/recorder.h"

namespace roofline::cupti {
namespace {

/// Functions of the driver; null without a driver. Names with a version suffix are the driver's
/// own, which the macros of cuda.h hide.
struct Driver : CudaDriverFunctions {
  decltype(&::cuInit) init = find("cuInit");
  decltype(&::cuDriverGetVersion) version = find("cuDriverGetVersion");
  decltype(&::cuDeviceGet) device = find("cuDeviceGet");
  decltype(&::cuDevicePrimaryCtxRetain) retain_primary = find("cuDevicePrimaryCtxRetain");
  decltype(&::cuCtxGetCurrent) current = find("cuCtxGetCurrent");
  decltype(&::cuCtxSetCurrent) set_current = find("cuCtxSetCurrent");
  decltype(&::cuCtxGetDevice) device_of_current = find("cuCtxGetDevice");
  CUresult (*synchronize)() = find("cuCtxSynchronize");
  decltype(&::cuGetErrorString) error_string = find("cuGetErrorString");
};

const Driver& driver() {
  static const Driver loaded;
  return loaded;
}

void check(CUresult result, const char* call) {
  if (result == CUDA_SUCCESS) return;
  const char* words = nullptr;
  if (driver().error_string(result, &words) != CUDA_SUCCESS || words == nullptr)
    words = "unknown error";
  throw RecorderError(fmt::format(
      "the CUDA driver refused {}: {}; see that the GPU works (nvidia-smi)", call, words));
}

}  // namespace

Target current_target() {
  const Driver& cuda = driver();
  if (const std::string none = no_cuda_driver(); !none.empty()) throw RecorderError(none);
  if (!cuda.complete) throw RecorderError("the NVIDIA driver lacks functions; update it");
  check(cuda.init(0), "cuInit");
  Target target;
  check(cuda.current(&target.context), "cuCtxGetCurrent");
  if (target.context == nullptr) {
    check(cuda.device(&target.device, 0), "cuDeviceGet");
    // The context is kept permanently, as the runtime does; another reference costs nothing.
    check(cuda.retain_primary(&target.context, target.device), "cuDevicePrimaryCtxRetain");
    check(cuda.set_current(target.context), "cuCtxSetCurrent");
  }
  check(cuda.device_of_current(&target.device), "cuCtxGetDevice");
  return target;
}

CUcontext current_context() {
  CUcontext context = nullptr;
  if (!driver().complete || driver().current(&context) != CUDA_SUCCESS) return nullptr;
  return context;
}

void synchronize() { check(driver().synchronize(), "cuCtxSynchronize after the counted work"); }

int driver_version() {
  int version = 0;
  if (!driver().complete || driver().version(&version) != CUDA_SUCCESS) return 0;
  return version;
}

}  // namespace roofline::cupti
