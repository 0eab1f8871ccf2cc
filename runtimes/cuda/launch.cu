// What each plug-in has its own copy of: harness/plugin/compile.cpp.
#include "runtimes/cuda/launch.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>

#include "runtimes/runtime.h"

namespace gpp::cuda {
namespace {

std::string remedy_of(cudaError_t status) {
  switch (status) {
    case cudaErrorMemoryAllocation:
      return "The device has too little free memory: choose a smaller input, or free the device "
             "(nvidia-smi shows who uses it).";
    case cudaErrorNoDevice:
      return "No CUDA device is visible: check nvidia-smi and CUDA_VISIBLE_DEVICES.";
    case cudaErrorInsufficientDriver:
      return "The NVIDIA driver is older than this program's CUDA runtime needs: update the "
             "driver, or build with an older CUDA Toolkit.";
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorInvalidDeviceFunction:
      return "This program holds no code for this device: build again here, or with "
             "-DCMAKE_CUDA_ARCHITECTURES naming its compute capability.";
    case cudaErrorLaunchOutOfResources:
      return "The kernel needs more registers or shared memory per block than this device has.";
    case cudaErrorIllegalAddress:
    case cudaErrorMisalignedAddress:
    case cudaErrorLaunchFailure:
      return "A kernel went wrong on the device: run the variant under compute-sanitizer. The "
             "device context is lost, so later CUDA variants of this process fail too.";
    case cudaErrorDevicesUnavailable:
      return "Another process holds the device exclusively: wait for it, or ask for another.";
    default:
      return {};
  }
}

double occupancy_of_launch(const void* kernel, const Shape& shape) {
  int blocks = 0;
  const int block = static_cast<int>(shape.block.x * shape.block.y * shape.block.z);
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, block, shape.shared),
        "asking for the occupancy of a kernel");
  return static_cast<double>(blocks) * block / attribute(cudaDevAttrMaxThreadsPerMultiProcessor);
}

std::string name_of_kernel(const void* kernel) {
  const char* mangled = nullptr;
  check(cudaFuncGetName(&mangled, kernel), "asking for the name of a kernel");
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> plain(
      abi::__cxa_demangle(mangled, nullptr, nullptr, &status), &std::free);
  const std::string name = status == 0 ? plain.get() : mangled;
  return name.substr(0, name.rfind('('));
}

}  // namespace

void check(cudaError_t status, const char* doing) {
  if (status == cudaSuccess) return;
  std::string message = std::string("CUDA failed while ") + doing + ": " +
                        cudaGetErrorString(status) + " (" + cudaGetErrorName(status) + ").";
  if (const std::string advice = remedy_of(status); !advice.empty()) message += " " + advice;
  cudaGetLastError();  // clears the error if possible, so that other variants can run
  throw std::runtime_error(message);
}

int current_device() {
  int device = 0;
  check(cudaGetDevice(&device), "asking for the current device");
  return device;
}

int attribute(cudaDeviceAttr which) {
  int value = 0;
  check(cudaDeviceGetAttribute(&value, which, current_device()),
        "asking for the device's attributes");
  return value;
}

Launch describe(const void* kernel, const Shape& shape) {
  cudaFuncAttributes attributes{};
  check(cudaFuncGetAttributes(&attributes, kernel), "asking for a kernel's resources");
  const auto& [grid, block, shared] = shape;
  return {
      .kernel = name_of_kernel(kernel),
      .blocks = 1LL * grid.x * grid.y * grid.z,
      .threads_per_block = static_cast<int>(block.x * block.y * block.z),
      .registers = attributes.numRegs,
      .shared_bytes = static_cast<long long>(attributes.sharedSizeBytes + shared),
      .spill_bytes = static_cast<long long>(attributes.localSizeBytes),
      .occupancy = occupancy_of_launch(kernel, shape),
  };
}

}  // namespace gpp::cuda
