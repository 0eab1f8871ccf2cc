// FP64, FP32 and FP16 work whose instructions read two registers each.
#pragma once

namespace roofline::gpu {

/// x = x*a + x: DFMA with two distinct register operands.
struct Fp64Fused {
  static constexpr int blocks = 4;
  static constexpr int chains = 8;
  static constexpr int unroll = 8;
  static constexpr double flop_per_step = 2 * chains;
  double x[chains];
  double a;

  __device__ void begin(const volatile float* zero) {
    a = *zero;
    for (int i = 0; i < chains; ++i) x[i] = 1 + i + *zero;
  }
  __device__ void step() {
#pragma unroll
    for (int i = 0; i < chains; ++i)
      asm volatile("fma.rn.f64 %0, %0, %1, %0;" : "+d"(x[i]) : "d"(a));
  }
  __device__ float end() const {
    double sum = 0;
    for (int i = 0; i < chains; ++i) sum += x[i];
    return static_cast<float>(sum);
  }
};

/// x = x*a, x = x + b: as many DMUL as DADD.
struct Fp64Separate {
  static constexpr int blocks = 4;
  static constexpr int chains = 8;
  static constexpr int unroll = 4;
  static constexpr double flop_per_step = 2 * chains;
  double x[chains];
  double a;
  double b;

  __device__ void begin(const volatile float* zero) {
    a = 1 + *zero;
    b = *zero;
    for (int i = 0; i < chains; ++i) x[i] = 1 + i + *zero;
  }
  __device__ void step() {
#pragma unroll
    for (int i = 0; i < chains; ++i) asm volatile("mul.rn.f64 %0, %0, %1;" : "+d"(x[i]) : "d"(a));
#pragma unroll
    for (int i = 0; i < chains; ++i) asm volatile("add.rn.f64 %0, %0, %1;" : "+d"(x[i]) : "d"(b));
  }
  __device__ float end() const {
    double sum = 0;
    for (int i = 0; i < chains; ++i) sum += x[i];
    return static_cast<float>(sum);
  }
};

/// x = x*a + x in single precision.
struct Fp32Fused {
  static constexpr int blocks = 4;
  static constexpr int chains = 8;
  static constexpr int unroll = 32;
  static constexpr double flop_per_step = 2 * chains;
  float x[chains];
  float a;

  __device__ void begin(const volatile float* zero) {
    a = *zero;
    for (int i = 0; i < chains; ++i) x[i] = 1 + i + *zero;
  }
  __device__ void step() {
#pragma unroll
    for (int i = 0; i < chains; ++i)
      asm volatile("fma.rn.f32 %0, %0, %1, %0;" : "+f"(x[i]) : "f"(a));
  }
  __device__ float end() const {
    float sum = 0;
    for (int i = 0; i < chains; ++i) sum += x[i];
    return sum;
  }
};

/// x = x*a + x on pairs of half precision in one register: HFMA2.
struct Fp16Fused {
  static constexpr int blocks = 4;
  static constexpr int chains = 8;
  static constexpr int unroll = 32;
  static constexpr double flop_per_step = 4 * chains;
  unsigned x[chains];
  unsigned a;

  __device__ void begin(const volatile float* zero) {
    a = static_cast<unsigned>(*zero);
    for (int i = 0; i < chains; ++i) x[i] = 0x3c003c00U + static_cast<unsigned>(i) + a;  // near 1
  }
  __device__ void step() {
#pragma unroll
    for (int i = 0; i < chains; ++i)
      asm volatile("fma.rn.f16x2 %0, %0, %1, %0;" : "+r"(x[i]) : "r"(a));
  }
  __device__ float end() const {
    unsigned all = 0;
    for (int i = 0; i < chains; ++i) all ^= x[i];
    return __uint_as_float(all);  // any float: the compiler drops chains whose end it can foresee
  }
};

}  // namespace roofline::gpu
