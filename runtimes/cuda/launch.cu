// What each plug-in has its own copy of: harness/plugin/compile.cpp.
#include "runtimes/cuda/launch.h"

#include <string>

#include "roofline/base/text.h"
#include "roofline/ceilings/cuda/gpu.h"
#include "runtimes/runtime.h"

namespace gpp::cuda {
namespace {

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
  const std::string name = roofline::demangled(mangled);
  return name.substr(0, name.rfind('('));
}

}  // namespace

void check(cudaError_t status, const char* doing) {
  if (status != cudaSuccess) cudaGetLastError();  // clears this library's, if possible
  roofline::gpu::check(status, doing);
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
