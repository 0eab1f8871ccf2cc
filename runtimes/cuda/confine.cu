#include "runtimes/cuda/confine.h"

#include <cuda.h>

#include <map>
#include <stdexcept>
#include <string>

#include "roofline/cuda_driver.h"
#include "runtimes/cuda/error.h"

namespace gpp::cuda {

#if CUDA_VERSION >= 12040

namespace {

// The library's copy of this type must fit the driver's.
static_assert(sizeof(roofline::CudaDriverResource) == sizeof(CUdevResource));
static_assert(offsetof(roofline::CudaDriverResource, multiprocessors) ==
              offsetof(CUdevResource, sm));
static_assert(roofline::cuda_driver_multiprocessors == CU_DEV_RESOURCE_TYPE_SM);

/// The driver's functions, looked up: the program starts without a driver.
struct Driver {
  decltype(&cuGetErrorString) error_string = nullptr;
  decltype(&cuDeviceGet) device = nullptr;
  decltype(&cuDevicePrimaryCtxRetain) primary_context = nullptr;
  decltype(&cuCtxSetCurrent) set_current = nullptr;
  decltype(&cuDeviceGetDevResource) resource = nullptr;
  decltype(&cuDevSmResourceSplitByCount) split = nullptr;
  decltype(&cuDevResourceGenerateDesc) describe = nullptr;
  decltype(&cuGreenCtxCreate) create = nullptr;
  decltype(&cuCtxFromGreenCtx) context_of = nullptr;
};

// The header may stand for a later version of a function under the same name: the name that is
// looked up must be of the version that is declared.
#define GPP_TEXT(name) #name
#define GPP_DRIVER_NAME(function) GPP_TEXT(function)
#define GPP_FIND(member, function) \
  roofline::find_cuda_driver_function(GPP_DRIVER_NAME(function), found.member)

const Driver& driver() {
  static const Driver all = [] {
    Driver found;
    const bool complete =
        GPP_FIND(error_string, cuGetErrorString) && GPP_FIND(device, cuDeviceGet) &&
        GPP_FIND(primary_context, cuDevicePrimaryCtxRetain) &&
        GPP_FIND(set_current, cuCtxSetCurrent) && GPP_FIND(resource, cuDeviceGetDevResource) &&
        GPP_FIND(split, cuDevSmResourceSplitByCount) &&
        GPP_FIND(describe, cuDevResourceGenerateDesc) && GPP_FIND(create, cuGreenCtxCreate) &&
        GPP_FIND(context_of, cuCtxFromGreenCtx);
    if (!complete)
      throw std::runtime_error(
          "The NVIDIA driver knows no green contexts, which confine work to a part of the "
          "multiprocessors: they came with CUDA 12.4 (driver 550). Update the driver.");
    return found;
  }();
  return all;
}

#undef GPP_FIND
#undef GPP_DRIVER_NAME
#undef GPP_TEXT

void expect(CUresult status, const char* function) {
  if (status == CUDA_SUCCESS) return;
  const char* words = nullptr;
  driver().error_string(status, &words);
  std::string message = std::string(
                            "The driver does not confine work to a part of the "
                            "multiprocessors: ") +
                        function + ": " + (words == nullptr ? "unknown error" : words) + ".";
  if (status == CUDA_ERROR_NOT_SUPPORTED)
    message += " It refuses where CUPTI has counted in the same process, and on GPUs under MIG.";
  throw std::runtime_error(message);
}

struct Green {
  CUcontext context = nullptr;
  int multiprocessors = 0;
};

Green make_green(CUdevice device, CUdevResource& all, int multiprocessors) {
  CUdevResource part{};
  CUdevResource rest{};
  unsigned groups = 1;
  expect(driver().split(&part, &groups, &all, &rest, 0, static_cast<unsigned>(multiprocessors)),
         "cuDevSmResourceSplitByCount");
  if (groups != 1) throw std::runtime_error("The driver gave no group of multiprocessors.");
  CUdevResourceDesc description = nullptr;
  expect(driver().describe(&description, &part, 1), "cuDevResourceGenerateDesc");
  CUgreenCtx green = nullptr;
  expect(driver().create(&green, description, device, CU_GREEN_CTX_DEFAULT_STREAM),
         "cuGreenCtxCreate");
  Green made;
  expect(driver().context_of(&made.context, green), "cuCtxFromGreenCtx");
  made.multiprocessors = static_cast<int>(part.sm.smCount);
  return made;
}

}  // namespace

int confine(int multiprocessors) {
  static std::map<int, Green> contexts;  // by the number that was asked for
  int ordinal = 0;
  check(cudaGetDevice(&ordinal), "asking for the current device");
  check(cudaFree(nullptr), "starting up the device");
  CUdevice device = 0;
  expect(driver().device(&device, ordinal), "cuDeviceGet");
  CUdevResource all{};
  expect(driver().resource(device, &all, CU_DEV_RESOURCE_TYPE_SM), "cuDeviceGetDevResource");
  const int there = static_cast<int>(all.sm.smCount);
  if (multiprocessors <= 0 || multiprocessors >= there) multiprocessors = there;
  auto known = contexts.find(multiprocessors);
  if (known == contexts.end()) {
    Green made{nullptr, there};
    if (multiprocessors == there)
      expect(driver().primary_context(&made.context, device), "cuDevicePrimaryCtxRetain");
    else
      made = make_green(device, all, multiprocessors);
    known = contexts.emplace(multiprocessors, made).first;
  }
  check(cudaDeviceSynchronize(), "waiting for the device");
  expect(driver().set_current(known->second.context), "cuCtxSetCurrent");
  return known->second.multiprocessors;
}

#else

int confine(int /*multiprocessors*/) {
  throw std::runtime_error(
      "This program was built with a CUDA Toolkit before 12.4, which knows no green contexts: "
      "build it with a later one to confine work to a part of the multiprocessors.");
}

#endif

}  // namespace gpp::cuda
