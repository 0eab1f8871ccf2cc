#include "runtimes/cuda/launch.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace gpp::cuda {
namespace {

struct Noted {
  const void* kernel;
  Shape shape;
};

std::vector<Noted>& noted() {
  static std::vector<Noted> all;
  return all;
}

double occupancy_of(const Noted& launch) {
  int blocks = 0;
  int device = 0;
  int threads = 0;
  const int block =
      static_cast<int>(launch.shape.block.x * launch.shape.block.y * launch.shape.block.z);
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, launch.kernel, block,
                                                      launch.shape.shared),
        "asking for the occupancy of a kernel");
  check(cudaGetDevice(&device), "asking for the current device");
  check(cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerMultiProcessor, device),
        "asking for the threads of a multiprocessor");
  return static_cast<double>(blocks) * block / threads;
}

std::string name_of(const void* kernel) {
  const char* mangled = nullptr;
  check(cudaFuncGetName(&mangled, kernel), "asking for the name of a kernel");
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> plain(
      abi::__cxa_demangle(mangled, nullptr, nullptr, &status), &std::free);
  const std::string name = status == 0 ? plain.get() : mangled;
  return name.substr(0, name.rfind('('));
}

Launch describe(const Noted& launch) {
  cudaFuncAttributes attributes{};
  check(cudaFuncGetAttributes(&attributes, launch.kernel), "asking for a kernel's resources");
  const auto& [grid, block, shared] = launch.shape;
  return {
      .kernel = name_of(launch.kernel),
      .blocks = 1LL * grid.x * grid.y * grid.z,
      .threads_per_block = static_cast<int>(block.x * block.y * block.z),
      .registers = attributes.numRegs,
      .shared_bytes = static_cast<long long>(attributes.sharedSizeBytes + shared),
      .spill_bytes = static_cast<long long>(attributes.localSizeBytes),
      .occupancy = occupancy_of(launch),
  };
}

}  // namespace

void detail::note_launch(const void* kernel, const Shape& shape) {
  noted().push_back({kernel, shape});
}

void clear_launches() { noted().clear(); }

std::vector<Launch> launches() {
  std::vector<Launch> result;
  for (const Noted& launch : noted()) result.push_back(describe(launch));
  return result;
}

}  // namespace gpp::cuda
