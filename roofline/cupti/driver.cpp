#include "roofline/cupti/driver.h"

#include <fmt/format.h>

#include "roofline/cuda_driver.h"
#include "roofline/recorder.h"

namespace roofline::cupti {
namespace {

/// Calls a function by its full name. Throws RecorderError if it fails.
template <class... Arguments>
void call(const char* name, Arguments... arguments) {
  const int result = call_cuda_driver(name, arguments...);
  if (result == 0) return;
  const char* words = nullptr;
  if (call_cuda_driver("cuGetErrorString", result, &words) != 0 || words == nullptr)
    words = "unknown error";
  throw RecorderError(fmt::format(
      "the CUDA driver refused {}: {}; see that the GPU works (nvidia-smi)", name, words));
}

}  // namespace

Target current_target() {
  if (const std::string none = no_cuda_driver(); !none.empty()) throw RecorderError(none);
  call("cuInit", 0U);
  Target target;
  call("cuCtxGetCurrent", &target.context);
  if (target.context == nullptr) {
    call("cuDeviceGet", &target.device, 0);
    // The context is kept permanently, as the runtime does; another reference costs nothing.
    call("cuDevicePrimaryCtxRetain", &target.context, target.device);
    call("cuCtxSetCurrent", target.context);
  }
  call("cuCtxGetDevice", &target.device);
  return target;
}

CUcontext current_context() {
  CUcontext context = nullptr;
  return call_cuda_driver("cuCtxGetCurrent", &context) == 0 ? context : nullptr;
}

void synchronize() { call("cuCtxSynchronize"); }

int driver_version() {
  int version = 0;
  return call_cuda_driver("cuDriverGetVersion", &version) == 0 ? version : 0;
}

}  // namespace roofline::cupti
