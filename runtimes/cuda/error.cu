#include "runtimes/cuda/launch.h"

#include <stdexcept>
#include <string>

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

}  // namespace gpp::cuda
