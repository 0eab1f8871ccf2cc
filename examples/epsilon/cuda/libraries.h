// Helpers for calls of NVIDIA's libraries: scratch memory, handles made once, and error messages.
#pragma once

#include <cublas_v2.h>
#include <cufft.h>
#include <cusolverDn.h>

#include <cstddef>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "examples/epsilon/screening.h"
#include "runtimes/cuda/launch.h"

namespace gpp::epsilon::cuda {

using gpp::cuda::blocks_for;
using gpp::cuda::check;

/// Throws std::runtime_error if a library reports an error. All three libraries use 0 for success.
template <class Status>
void check_library(Status status, const char* doing) {
  if (static_cast<int>(status) != 0)
    throw std::runtime_error(std::string(doing) + " failed with error " +
                             std::to_string(static_cast<int>(status)) + " of its library");
}

/// Scratch memory of a call, allocated and freed in stream order.
template <class Number>
std::unique_ptr<Number, void (*)(void*)> scratch(std::size_t count) {
  void* memory = nullptr;
  check(cudaMallocAsync(&memory, count * sizeof(Number), nullptr), "taking scratch memory");
  return {static_cast<Number*>(memory), [](void* taken) { cudaFreeAsync(taken, nullptr); }};
}

/// A library's handle. It is never destroyed, because the GPU may be gone at program exit.
template <class Handle, class Status>
Handle started(Status (*create)(Handle*), const char* doing) {
  Handle handle{};
  check_library(create(&handle), doing);
  return handle;
}

/// A cuFFT plan for `boxes` consecutive boxes of size^3 points.
inline cufftHandle cufft(int size, int boxes) {
  static std::map<std::pair<int, int>, cufftHandle> plans;
  const auto [plan, is_new] = plans.try_emplace({size, boxes});
  if (is_new) {
    int sizes[] = {size, size, size};
    check_library(
        cufftPlanMany(&plan->second, 3, sizes, nullptr, 1, 0, nullptr, 1, 0, CUFFT_Z2Z, boxes),
        "planning transforms with cuFFT");
  }
  return plan->second;
}

inline cuDoubleComplex* numbers(Complex* array) {
  return reinterpret_cast<cuDoubleComplex*>(array);
}
inline const cuDoubleComplex* numbers(const Complex* array) {
  return reinterpret_cast<const cuDoubleComplex*>(array);
}

inline constexpr int threads_per_block = 256;

/// The index of this thread's element. There may be fewer elements than threads.
__device__ inline std::size_t element_of_thread() {
  return std::size_t{blockIdx.x} * threads_per_block + threadIdx.x;
}

}  // namespace gpp::epsilon::cuda
