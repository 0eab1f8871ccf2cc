#include "tests/roofline/known_answers.h"

#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <mma.h>

#include <stdexcept>
#include <string>

namespace roofline::test {
namespace {

constexpr int threads_per_block = 256;

void check(cudaError_t status) {
  if (status != cudaSuccess) throw std::runtime_error(cudaGetErrorString(status));
}

void finish() {
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());
}

unsigned blocks_for(std::size_t size) {
  return static_cast<unsigned>((size + threads_per_block - 1) / threads_per_block);
}

__device__ std::size_t global_index() {
  return static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}

__global__ void daxpy_kernel(std::size_t size, double a, const double* __restrict__ x,
                             double* __restrict__ y) {
  const std::size_t i = global_index();
  if (i < size) y[i] = __fma_rn(a, x[i], y[i]);
}

__global__ void copy_strided_kernel(std::size_t size, const double* __restrict__ from,
                                    double* __restrict__ to) {
  const std::size_t i = global_index();
  if (i < size) to[i] = from[4 * i];
}

// The operands come from memory, or the compiler would know the result.
__global__ void dfma_kernel(int length, double* out) {
  const double factor = out[0];
  double sum = out[1];
#pragma unroll 8
  for (int i = 0; i < length; ++i) sum = __fma_rn(sum, factor, factor);
  out[global_index()] = sum;
}

__global__ void hfma_kernel(int length, __half2* out) {
  const __half2 factor = out[0];
  __half2 sum = out[1];
#pragma unroll 8
  for (int i = 0; i < length; ++i) sum = __hfma2(sum, factor, factor);
  out[global_index()] = sum;
}

/// expf() has constants that compilers load with HFMA2.
__global__ void constants_kernel(double* out) {
  const double sum = out[global_index()] + 1;
  out[global_index()] = expf(static_cast<float>(threadIdx.x)) < 0 ? 0 : sum;
}

__global__ void dmma_kernel([[maybe_unused]] int length, [[maybe_unused]] double* out) {
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

__global__ void shared_kernel(int length, double* out) {
  __shared__ volatile double shared[threads_per_block];
  shared[threadIdx.x] = out[threadIdx.x];
  double sum = 0;
#pragma unroll 8
  for (int i = 0; i < length; ++i) sum += shared[threadIdx.x];
  out[global_index()] = sum;
}

template <class T>
__global__ void strided_kernel(int stride, T* memory) {
  T* mine = memory + global_index() * static_cast<std::size_t>(stride);
  *mine = *mine + 1;
}

/// Volatile, so that every load happens.
__global__ void columns_kernel(int length, int pitch, double* out) {
  __shared__ volatile float column[32 * 33];
  column[threadIdx.x * pitch] = 1;
  float sum = 0;
#pragma unroll 8
  for (int i = 0; i < length; ++i) sum += column[threadIdx.x * pitch];
  out[global_index()] = sum;
}

#define FOUR_TIMES(text) text text text text

/// 256 loads in a row: the loop's own instructions, which all lanes execute, are few beside them.
/// Loads, because the compiler may let all lanes compute what only some of them keep.
__global__ void half_off_kernel(int length, double* out) {
  __shared__ double shared[threads_per_block];
  shared[threadIdx.x] = 1;
  const auto address = static_cast<unsigned>(__cvta_generic_to_shared(&shared[threadIdx.x]));
  double last = 0;
  for (int i = 0; i < length; i += 256)
    asm volatile("{ .reg .pred on; setp.eq.u32 on, %2, 0; " FOUR_TIMES(FOUR_TIMES(
        FOUR_TIMES(FOUR_TIMES("@on ld.volatile.shared.f64 %0, [%1]; ")))) "}"
                 : "+d"(last)
                 : "r"(address), "r"(threadIdx.x & 1));
  out[global_index()] = last;
}

}  // namespace

DeviceMemory device_memory() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) return {};
  int l2 = 0;
  check(cudaDeviceGetAttribute(&l2, cudaDevAttrL2CacheSize, 0));
  DeviceMemory memory;
  memory.l2 = static_cast<std::size_t>(l2);
  std::size_t total = 0;
  check(cudaMemGetInfo(&memory.free, &total));
  return memory;
}

DeviceArray::DeviceArray(std::size_t size) {
  check(cudaMalloc(&data_, size * sizeof(double)));
  check(cudaMemset(data_, 0, size * sizeof(double)));
  check(cudaDeviceSynchronize());
}

DeviceArray::~DeviceArray() { cudaFree(data_); }

void daxpy(std::size_t size, double a, const double* x, double* y) {
  daxpy_kernel<<<blocks_for(size), threads_per_block>>>(size, a, x, y);
  finish();
}

void copy_strided(std::size_t size, const double* from, double* to) {
  copy_strided_kernel<<<blocks_for(size), threads_per_block>>>(size, from, to);
  finish();
}

void dfma_chain(const Chain& chain, double* out) {
  dfma_kernel<<<chain.blocks, chain.threads>>>(chain.length, out);
  finish();
}

void hfma_chain(const Chain& chain, double* out) {
  hfma_kernel<<<chain.blocks, chain.threads>>>(chain.length, reinterpret_cast<__half2*>(out));
  finish();
}

void constants(const Chain& chain, double* out) {
  constants_kernel<<<chain.blocks, chain.threads>>>(out);
  finish();
}

void dmma_chain(const Chain& chain, double* out) {
  dmma_kernel<<<chain.blocks, chain.threads>>>(chain.length, out);
  finish();
}

void shared_chain(const Chain& chain, double* out) {
  shared_kernel<<<chain.blocks, chain.threads>>>(chain.length, out);
  finish();
}

std::size_t strided_size(const Strided& strided) {
  const std::size_t threads = static_cast<std::size_t>(strided.blocks) * threads_per_block;
  return threads * static_cast<std::size_t>(strided.stride) + 1;
}

void access_strided(const Strided& strided, double* memory) {
  if (strided.size_of_number == 4)
    strided_kernel<<<strided.blocks, threads_per_block>>>(strided.stride,
                                                          reinterpret_cast<float*>(memory));
  else
    strided_kernel<<<strided.blocks, threads_per_block>>>(strided.stride, memory);
  finish();
}

void shared_columns(int blocks, int length, int pitch, double* out) {
  columns_kernel<<<blocks, 32>>>(length, pitch, out);
  finish();
}

void half_off_chain(const Chain& chain, double* out) {
  half_off_kernel<<<chain.blocks, chain.threads>>>(chain.length, out);
  finish();
}

}  // namespace roofline::test
