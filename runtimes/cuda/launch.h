// Starts a kernel with error checks and a note for the record. Every kernel includes this header,
// and nvcc parses it three times, so it includes little.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>

namespace gpp {
struct Launch;
}

namespace gpp::cuda {

/// Throws std::runtime_error if `status` is an error, with the action, CUDA's message and, for
/// errors that a user can fix, the remedy.
void check(cudaError_t status, const char* doing);

/// The current device and one of its attributes; both throw as check() does.
int current_device();
int attribute(cudaDeviceAttr which);

/// The dimensions of a launch; `shared` is dynamic shared memory per block, in bytes.
struct Shape {
  dim3 grid;
  dim3 block;
  std::size_t shared = 0;
};

/// The facts of a launch. A plug-in has its own CUDA runtime, which alone knows its kernels, so
/// launch.cu is compiled into each plug-in, too, and describes its own launches.
Launch describe(const void* kernel, const Shape& shape);
using Describe = Launch (*)(const void* kernel, const Shape& shape);

/// Notes a launch for the record.
void note_launch(const void* kernel, const Shape& shape, Describe describe);

/// The number of blocks of `size` elements that cover `count` elements.
constexpr unsigned blocks_for(long long count, int size) {
  return static_cast<unsigned>((count + size - 1) / size);
}

/// The limit of a grid's second dimension, and of blocks that OpenACC compilers launch for a loop.
/// Longer loops use strides.
inline constexpr unsigned max_blocks = 65535;
inline constexpr int max_grid_y = 65535;

/// Starts `kernel` on the default stream.
template <class... Parameters, class... Arguments>
void launch(void (*kernel)(Parameters...), const Shape& shape, Arguments... arguments) {
  if (shape.shared > 48 * 1024)
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(shape.shared)),
          "asking for shared memory");
  kernel<<<shape.grid, shape.block, shape.shared>>>(arguments...);
  check(cudaGetLastError(), "starting a kernel");
  note_launch(reinterpret_cast<const void*>(kernel), shape, &describe);
}

/// Starts `kernel` with a thread for each of `count` elements, in blocks of `size` threads.
template <class... Parameters, class... Arguments>
void launch_for(long long count, int size, void (*kernel)(Parameters...), Arguments... arguments) {
  launch(kernel, Shape{blocks_for(count, size), static_cast<unsigned>(size)}, arguments...);
}

}  // namespace gpp::cuda
