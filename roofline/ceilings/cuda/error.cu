#include "roofline/ceilings/cuda/error.h"

#include <stdexcept>
#include <string>

namespace roofline::gpu {

void check(cudaError_t status, const char* doing) {
  if (status == cudaSuccess) return;
  cudaGetLastError();  // forget the error where CUDA can
  std::string message = std::string("CUDA failed while ") + doing + ": " +
                        cudaGetErrorString(status) + " (" + cudaGetErrorName(status) + ").";
  if (status == cudaErrorNoDevice)
    message += " No CUDA device is visible: check nvidia-smi and CUDA_VISIBLE_DEVICES.";
  if (status == cudaErrorInsufficientDriver)
    message += " The NVIDIA driver is older than this program needs, or there is none.";
  if (status == cudaErrorNoKernelImageForDevice)
    message += " Build again with -DCMAKE_CUDA_ARCHITECTURES naming this device's architecture.";
  if (status == cudaErrorMemoryAllocation)
    message += " Free the device: nvidia-smi shows who uses it.";
  throw std::runtime_error(message);
}

}  // namespace roofline::gpu
