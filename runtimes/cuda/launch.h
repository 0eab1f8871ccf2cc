// Starting a kernel: checked, and noted for the record. nvcc parses a header three times, and every
// kernel reads this one: what is known of launches afterwards stands in describe.h.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>

namespace gpp::cuda {

/// Throws std::runtime_error when `status` is an error: what was being done, what CUDA said and,
/// for the errors a user can do something about, the remedy.
void check(cudaError_t status, const char* doing);

/// The shape of a launch; `shared` is dynamic shared memory per block, in bytes.
struct Shape {
  dim3 grid;
  dim3 block;
  std::size_t shared = 0;
};

namespace detail {
void note_launch(const void* kernel, const Shape& shape);
}

/// Blocks that cover `count` elements at `size` elements a block.
constexpr unsigned blocks_for(long long count, int size) {
  return static_cast<unsigned>((count + size - 1) / size);
}

/// Longer loops stride: the second and third dimension of a grid end here, and OpenACC compilers
/// launch no more blocks for a loop.
inline constexpr unsigned max_blocks = 65535;
inline constexpr int max_grid_y = 65535;
inline constexpr int max_grid_z = 65535;

/// Starts `kernel` on the default stream.
template <class... Parameters, class... Arguments>
void launch(void (*kernel)(Parameters...), const Shape& shape, Arguments... arguments) {
  if (shape.shared > 48 * 1024)
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(shape.shared)),
          "asking for shared memory");
  kernel<<<shape.grid, shape.block, shape.shared>>>(arguments...);
  check(cudaGetLastError(), "starting a kernel");
  detail::note_launch(reinterpret_cast<const void*>(kernel), shape);
}

}  // namespace gpp::cuda
