// Instructions of any kind, counted for their warps: what the schedulers issue, and what single
// pipes take. Source: Ding and Williams 2019 for the ceilings.
#pragma once

#include "roofline/ceilings/cuda/scalar.cuh"

namespace roofline::gpu {

constexpr double of_a_warp = 1.0 / 32;  ///< an instruction of a thread

/// The FP64 pipe.
struct IssuedFp64 : Fp64Fused {
  static constexpr double flop_per_step = chains * of_a_warp;
};

/// Permutations of bytes, which the compiler cannot merge: the pipe of whole numbers' logic.
struct IssuedAlu {
  static constexpr int blocks = 4;
  static constexpr int chains = 8;
  static constexpr int unroll = 32;
  static constexpr double flop_per_step = chains * of_a_warp;
  unsigned x[chains];
  unsigned a;

  __device__ void begin(const volatile float* zero) {
    a = __float_as_uint(*zero);
    for (int i = 0; i < chains; ++i) x[i] = 1U + static_cast<unsigned>(i) + a;
  }
  __device__ void step() {
#pragma unroll
    for (int i = 0; i < chains; ++i)
      asm volatile("prmt.b32 %0, %0, %1, 0x2103;" : "+r"(x[i]) : "r"(a));
  }
  __device__ float end() const {
    unsigned all = 0;
    for (int i = 0; i < chains; ++i) all ^= x[i];
    return __uint_as_float(all);
  }
};

/// Powers of two: the pipe of transcendental functions.
struct IssuedXu {
  static constexpr int blocks = 4;
  static constexpr int chains = 8;
  static constexpr int unroll = 8;
  static constexpr double flop_per_step = chains * of_a_warp;
  float x[chains];

  __device__ void begin(const volatile float* zero) {
    for (int i = 0; i < chains; ++i) x[i] = *zero - static_cast<float>(i);
  }
  __device__ void step() {
#pragma unroll
    for (int i = 0; i < chains; ++i) asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(x[i]));
  }
  __device__ float end() const {
    float sum = 0;
    for (int i = 0; i < chains; ++i) sum += x[i];
    return sum;
  }
};

/// FFMA and permutations in turn: neither pipe alone takes an instruction each cycle on every chip.
struct Issued {
  static constexpr int blocks = 4;
  static constexpr int chains = 8;
  static constexpr int unroll = 16;
  static constexpr double flop_per_step = 2 * chains * of_a_warp;
  Fp32Fused numbers;
  IssuedAlu bytes;

  __device__ void begin(const volatile float* zero) {
    numbers.begin(zero);
    bytes.begin(zero);
  }
  __device__ void step() {
#pragma unroll
    for (int i = 0; i < chains; ++i) {
      asm volatile("fma.rn.f32 %0, %0, %1, %0;" : "+f"(numbers.x[i]) : "f"(numbers.a));
      asm volatile("prmt.b32 %0, %0, %1, 0x2103;" : "+r"(bytes.x[i]) : "r"(bytes.a));
    }
  }
  __device__ float end() const { return numbers.end() + bytes.end(); }
};

}  // namespace roofline::gpu
