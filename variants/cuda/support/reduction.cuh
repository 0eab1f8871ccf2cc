// The reduction of all CUDA variants: threads to a block, blocks to the result. Every sum has a
// fixed order, so the same launch always gives the same bits.
#pragma once

#include "gpp/problem.h"
#include "gpp/sums.h"
#include "runtimes/cuda/launch.h"

namespace gpp::cuda {

/// The sums of a single frequency.
struct FrequencySums {
  Complex asx;
  Complex ach;
};

namespace detail {

inline constexpr int warp_size = 32;
inline constexpr int max_warps = 32;

template <class Result>
inline constexpr int reals = static_cast<int>(sizeof(Result) / sizeof(double));

__device__ inline int thread_rank() {
  return static_cast<int>(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z));
}

__device__ inline double sum_warp(double value) {
  for (int distance = warp_size / 2; distance > 0; distance /= 2)
    value += __shfl_down_sync(0xffffffffu, value, distance);
  return value;
}

}  // namespace detail

/// Adds up `value` over the threads of the block, which must be whole warps and must all call it;
/// thread 0 gets the sum. `Result` consists only of doubles.
template <class Result>
__device__ Result sum_block(Result value) {
  using namespace detail;
  __shared__ double by_warp[reals<Result>][max_warps];
  const int rank = thread_rank();
  const int warps = static_cast<int>(blockDim.x * blockDim.y * blockDim.z) / warp_size;
  auto* parts = reinterpret_cast<double*>(&value);
  for (int part = 0; part < reals<Result>; ++part) {
    const double sum = sum_warp(parts[part]);
    if (rank % warp_size == 0) by_warp[part][rank / warp_size] = sum;
  }
  __syncthreads();
  if (rank < warp_size)
    for (int part = 0; part < reals<Result>; ++part)
      parts[part] = sum_warp(rank < warps ? by_warp[part][rank] : 0.0);
  return value;
}

/// Stores the block's sum at its own place in `partial`.
template <class Result>
__device__ void store_block_sum(Result value, Result* partial) {
  const Result sum = sum_block(value);
  const auto block =
      blockIdx.x + static_cast<std::size_t>(gridDim.x) *
                       (blockIdx.y + static_cast<std::size_t>(gridDim.y) * blockIdx.z);
  if (detail::thread_rank() == 0) partial[block] = sum;
}

template <class Result>
__global__ void sum_partials(const Result* partial, std::size_t count, Result* total) {
  Result mine{};
  auto* to = reinterpret_cast<double*>(&mine);
  for (std::size_t block = threadIdx.x; block < count; block += blockDim.x) {
    const auto* from = reinterpret_cast<const double*>(partial + block);
    for (int part = 0; part < detail::reals<Result>; ++part) to[part] += from[part];
  }
  const Result sum = sum_block(mine);
  if (threadIdx.x == 0) *total = sum;
}

/// Device memory for the duration of a call, in the order of its default stream.
template <class T>
class DeviceArray {
 public:
  explicit DeviceArray(std::size_t count) {
    check(cudaMallocAsync(&data_, count * sizeof(T), nullptr), "allocating memory on the device");
  }
  ~DeviceArray() { cudaFreeAsync(data_, nullptr); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;

  T* data() const { return data_; }

 private:
  T* data_ = nullptr;
};

/// Device memory for one result per block, and their sum. It is filled with NaN first, which
/// reveals a block that stores nothing.
template <class Result>
class BlockSums {
 public:
  explicit BlockSums(dim3 grid)
      : count_(static_cast<std::size_t>(grid.x) * grid.y * grid.z), memory_(count_ + 1) {
    check(cudaMemsetAsync(data(), 0xff, (count_ + 1) * sizeof(Result)), "poisoning partial sums");
  }

  /// The places where the kernel's blocks store their results.
  Result* data() const { return memory_.data(); }

  /// The sum over all blocks. Waits for the device.
  Result total() const {
    Result* on_device = data() + count_;
    launch(sum_partials<Result>, {1, 512}, data(), count_, on_device);
    Result result;
    check(cudaMemcpy(&result, on_device, sizeof(Result), cudaMemcpyDeviceToHost),
          "summing the problem on the device");
    return result;
  }

 private:
  std::size_t count_;
  DeviceArray<Result> memory_;
};

/// One launch per frequency: the sums that each stores, by frequency.
template <class Kernel, class AnyProblem>
Sums sum_each_frequency(Kernel kernel, const Shape& shape, const AnyProblem& problem) {
  BlockSums<FrequencySums> partial(shape.grid);
  Sums sums{};
  for (int iw = 0; iw < problem.nfreq; ++iw) {
    launch(kernel, shape, problem, iw, partial.data());
    const FrequencySums total = partial.total();
    sums.asx[iw] = total.asx;
    sums.ach[iw] = total.ach;
  }
  return sums;
}

/// One launch for this number of iterations, with strides over at most 65535 blocks.
template <class Result>
Result sum_strided(void (*kernel)(Problem, Result*), int threads, const Problem& problem,
                   long long iterations) {
  const dim3 grid(std::min(blocks_for(iterations, threads), max_blocks));
  BlockSums<Result> partial(grid);
  launch(kernel, {grid, threads}, problem, partial.data());
  return partial.total();
}

/// The result of `sum`, which is compiled for each number of frequencies.
template <class Sum>
Sums for_frequencies_of(const Problem& problem, const Sum& sum) {
  if (problem.nfreq == 1) return all_frequencies(sum.template operator()<1>());
  if (problem.nfreq == 2) return all_frequencies(sum.template operator()<2>());
  return all_frequencies(sum.template operator()<3>());
}

}  // namespace gpp::cuda
