#include <cxxabi.h>

#include <cstdlib>
#include <memory>

#include "runtimes/cuda/describe.h"

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
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> plain(
      abi::__cxa_demangle(mangled, nullptr, nullptr, &status), &std::free);
  const std::string name = status == 0 ? plain.get() : mangled;
  return name.substr(0, name.rfind('('));
}

}  // namespace

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
