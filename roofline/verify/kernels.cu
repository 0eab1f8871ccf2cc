#include "roofline/verify/known_answers.h"

#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <mma.h>

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <vector>

#include "roofline/ceilings/cuda/tensor.cuh"

namespace roofline::known {
namespace {

void check(cudaError_t status) {
  if (status != cudaSuccess) throw std::runtime_error(cudaGetErrorString(status));
}

constexpr int threads_per_block = 256;
static_assert(chain.threads == threads_per_block && strided_threads == threads_per_block);

unsigned blocks_for(std::size_t size) {
  return static_cast<unsigned>((size + threads_per_block - 1) / threads_per_block);
}

__device__ std::size_t global_index() {
  return static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}

}  // namespace

// Profilers show the kernels' names, so these are not in an unnamed namespace.

__global__ void known_daxpy(std::size_t size, double a, const double* __restrict__ x,
                            double* __restrict__ y) {
  const std::size_t i = global_index();
  if (i < size) y[i] = __fma_rn(a, x[i], y[i]);
}

__global__ void known_strided_copy(std::size_t size, const double* __restrict__ from,
                                   double* __restrict__ to) {
  const std::size_t i = global_index();
  if (i < size) to[i] = from[4 * i];
}

// The operands come from memory, because the compiler would compute constants itself.
__global__ void known_dfma(int length, double* out) {
  const double factor = out[0];
  double sum = out[1];
#pragma unroll 8
  for (int i = 0; i < length; ++i) sum = __fma_rn(sum, factor, factor);
  out[global_index()] = sum;
}

__global__ void known_ffma(int length, float* out) {
  const float factor = out[0];
  float sum = out[1];
#pragma unroll 8
  for (int i = 0; i < length; ++i) sum = __fmaf_rn(sum, factor, factor);
  out[global_index()] = sum;
}

__global__ void known_shared(int length, double* out) {
  __shared__ volatile double shared[threads_per_block];
  shared[threadIdx.x] = out[threadIdx.x];
  double sum = 0;
#pragma unroll 8
  for (int i = 0; i < length; ++i) sum += shared[threadIdx.x];
  out[global_index()] = sum;
}

__global__ void known_hfma2(int length, __half2* out) {
  const __half2 factor = out[0];
  __half2 sum = out[1];
#pragma unroll 8
  for (int i = 0; i < length; ++i) sum = __hfma2(sum, factor, factor);
  out[global_index()] = sum;
}

/// expf() contains constants that compilers load with HFMA2.
__global__ void known_constants(double* out) {
  const double sum = out[global_index()] + 1;
  out[global_index()] = expf(static_cast<float>(threadIdx.x)) < 0 ? 0 : sum;
}

__global__ void known_dmma([[maybe_unused]] int length, [[maybe_unused]] double* out) {
#if __CUDA_ARCH__ >= 800
  using namespace nvcuda::wmma;
  fragment<matrix_a, 8, 8, 4, double, row_major> a;
  fragment<matrix_b, 8, 8, 4, double, col_major> b;
  fragment<accumulator, 8, 8, 4, double> sum;
  load_matrix_sync(a, out, 4);
  load_matrix_sync(b, out, 4);
  load_matrix_sync(sum, out, 8, mem_row_major);
#pragma unroll 8
  for (int i = 0; i < length; ++i) mma_sync(sum, a, b, sum);
  store_matrix_sync(out + 64 * (global_index() / 32), sum, 8, mem_row_major);
#endif
}

namespace {

/// The instructions are volatile, so that none is removed. All numbers are zero in every type.
template <class Type>
__device__ void multiply(int length, float* out) {
  unsigned a[4], b[2];
  for (unsigned& value : a) value = __float_as_uint(out[0]);
  for (unsigned& value : b) value = __float_as_uint(out[1]);
  typename Type::Sum sum[4] = {};
#pragma unroll 8
  for (int i = 0; i < length; ++i) Type::mma(sum, a, b);
  out[global_index()] = static_cast<float>(sum[0] + sum[1] + sum[2] + sum[3]);
}

}  // namespace

__global__ void known_mma_fp16(int length, float* out) { multiply<gpu::TensorFp16>(length, out); }
__global__ void known_mma_bf16(int length, float* out) { multiply<gpu::TensorBf16>(length, out); }
__global__ void known_mma_tf32(int length, float* out) { multiply<gpu::TensorTf32>(length, out); }
__global__ void known_mma_int8(int length, float* out) { multiply<gpu::TensorInt8>(length, out); }

namespace {

/// Loads a number, `stride` numbers from the neighbouring thread's, and stores it again.
template <class T>
__device__ void add_one(std::size_t stride, double* memory) {
  T* mine = reinterpret_cast<T*>(memory) + global_index() * stride;
  *mine = *mine + 1;
}

/// The loads are volatile, so that each one happens.
__device__ void load_columns(int length, int pitch, double* out) {
  __shared__ volatile float column[32 * 33];
  column[threadIdx.x * pitch] = 1;
  float sum = 0;
#pragma unroll 8
  for (int i = 0; i < length; ++i) sum += column[threadIdx.x * pitch];
  out[global_index()] = sum;
}

}  // namespace

__global__ void known_same_address(double* memory) { add_one<double>(0, memory); }
__global__ void known_unit_4(double* memory) { add_one<float>(1, memory); }
__global__ void known_unit_8(double* memory) { add_one<double>(1, memory); }
__global__ void known_scattered_4(double* memory) { add_one<float>(32, memory); }
__global__ void known_scattered_8(double* memory) { add_one<double>(32, memory); }
__global__ void known_banks_apart(int length, double* out) { load_columns(length, 33, out); }
__global__ void known_one_bank(int length, double* out) { load_columns(length, 32, out); }

#define FOUR_TIMES(text) text text text text

/// 1024 loads in sequence, so that the loop's own instructions, which all lanes execute, hardly
/// count. Loads are used because the compiler may let all lanes compute values that only some need.
__global__ void known_half_off(int length, double* out) {
  __shared__ double shared[threads_per_block];
  shared[threadIdx.x] = 1;
  const auto address = static_cast<unsigned>(__cvta_generic_to_shared(&shared[threadIdx.x]));
  double last = 0;
  for (int i = 0; i < length; i += 1024)
    asm volatile("{ .reg .pred on; setp.eq.u32 on, %2, 0; " FOUR_TIMES(FOUR_TIMES(
        FOUR_TIMES(FOUR_TIMES(FOUR_TIMES("@on ld.volatile.shared.f64 %0, [%1]; "))))) "}"
                 : "+d"(last)
                 : "r"(address), "r"(threadIdx.x & 1));
  out[global_index()] = last;
}

namespace {

/// A kernel of the list, with the range of compute capabilities that can run it.
struct Launch {
  const char* name;
  std::size_t room;  ///< needed memory in doubles
  std::function<void(double*)> run;
  int least = 0, most = 9999;
};

constexpr std::size_t chained = static_cast<std::size_t>(chain.blocks) * chain.threads;

template <class T>
Launch of_chain(const char* name, void (*kernel)(int, T*), int least = 0, int most = 9999) {
  const auto run = [kernel](double* out) {
    kernel<<<chain.blocks, chain.threads>>>(chain.length, reinterpret_cast<T*>(out));
  };
  return {name, 2 * chained, run, least, most};
}

Launch of_stride(const char* name, void (*kernel)(double*), std::size_t stride) {
  return {name, std::size_t{strided_blocks} * strided_threads * stride + 1,
          [kernel](double* memory) { kernel<<<strided_blocks, strided_threads>>>(memory); }};
}

Launch of_columns(const char* name, void (*kernel)(int, double*)) {
  return {name, std::size_t{column_blocks} * 32,
          [kernel](double* out) { kernel<<<column_blocks, 32>>>(column_loads, out); }};
}

const std::vector<Launch>& launches() {
  static const std::vector<Launch> all = {
      {"known_daxpy", 2 * streamed,
       [](double* x) {
         known_daxpy<<<blocks_for(streamed), threads_per_block>>>(streamed, 2, x, x + streamed);
       }},
      {"known_strided_copy", streamed + streamed / 4,
       [](double* from) {
         known_strided_copy<<<blocks_for(streamed / 4), threads_per_block>>>(streamed / 4, from,
                                                                             from + streamed);
       }},
      of_chain("known_dfma", known_dfma),
      of_chain("known_ffma", known_ffma),
      of_chain("known_hfma2", known_hfma2),
      {"known_constants", chained,
       [](double* out) { known_constants<<<chain.blocks, chain.threads>>>(out); }},
      of_chain("known_dmma", known_dmma, 80),
      of_chain("known_mma_fp16", known_mma_fp16, 80),
      of_chain("known_mma_bf16", known_mma_bf16, 80),
      of_chain("known_mma_tf32", known_mma_tf32, 80),
      of_chain("known_mma_int8", known_mma_int8, 80, 99),
      of_chain("known_shared", known_shared),
      of_stride("known_same_address", known_same_address, 0),
      of_stride("known_unit_4", known_unit_4, 1),
      of_stride("known_unit_8", known_unit_8, 1),
      of_stride("known_scattered_4", known_scattered_4, 32),
      of_stride("known_scattered_8", known_scattered_8, 32),
      of_columns("known_banks_apart", known_banks_apart),
      of_columns("known_one_bank", known_one_bank),
      of_chain("known_half_off", known_half_off),
  };
  return all;
}

const Launch& launch_of(std::string_view name) {
  for (const Launch& launch : launches())
    if (name == launch.name) return launch;
  throw std::runtime_error("no kernel here is called " + std::string(name));
}

int attribute(cudaDeviceAttr which) {
  int device = 0, value = 0;
  check(cudaGetDevice(&device));
  check(cudaDeviceGetAttribute(&value, which, device));
  return value;
}

}  // namespace

std::string cannot_run(std::string_view kernel) {
  const Launch& launch = launch_of(kernel);
  const int major = attribute(cudaDevAttrComputeCapabilityMajor),
            minor = attribute(cudaDevAttrComputeCapabilityMinor), capability = 10 * major + minor;
  // Graphics cards emulate DMMA.
  if (capability < launch.least || capability > launch.most ||
      (kernel == "known_dmma" && minor != 0))
    return "devices of compute capability " + std::to_string(major) + "." + std::to_string(minor) +
           " have no such tensor cores";
  std::size_t free = 0, total = 0;
  check(cudaMemGetInfo(&free, &total));
  if (launch.room * sizeof(double) > free)
    return "it needs " + std::to_string(launch.room * sizeof(double) >> 20) + " MiB, and " +
           std::to_string(free >> 20) + " MiB of the device's memory are free";
  return {};
}

std::function<void()> prepared(std::string_view kernel) {
  const Launch& launch = launch_of(kernel);
  double* memory = nullptr;
  check(cudaMalloc(&memory, launch.room * sizeof(double)));
  const std::shared_ptr<double> owner(memory, cudaFree);
  check(cudaMemset(memory, 0, launch.room * sizeof(double)));
  check(cudaDeviceSynchronize());
  return [owner, &launch] {
    launch.run(owner.get());
    check(cudaGetLastError());
    check(cudaDeviceSynchronize());
  };
}

}  // namespace roofline::known
