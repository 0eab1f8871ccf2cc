// Chains of FP64, FP32, FP16 and other instructions that do not use the tensor cores.
#pragma once

namespace roofline::gpu {

constexpr double of_a_warp = 1.0 / 32;  ///< a thread's instruction counts as part of its warp's

/// Combines the ends of chains into one number. Integers are used as the bits of a float, because
/// the compiler drops chains with a predictable end.
template <typename Number>
__device__ float joined(const Number (&x)[8]) {
  if constexpr (Number(0.5) == Number(0)) {
    Number all = 0;
    for (const Number one : x) all ^= one;
    return __uint_as_float(all);
  } else {
    Number sum = 0;
    for (const Number one : x) sum += one;
    return static_cast<float>(sum);
  }
}

template <typename Number, int Unroll, int operations>
struct EightChains {
  static constexpr int blocks = 4;
  static constexpr int chains = 8;
  static constexpr int unroll = Unroll;
  static constexpr double flop_per_step = operations * chains;
  Number x[chains];

  __device__ float end() const { return joined(x); }
};

/// x = x*a + x: DFMA with two distinct register operands.
struct Fp64Fused : EightChains<double, 8, 2> {
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
};

/// x = x*a, x = x + b: as many DMUL as DADD.
struct Fp64Separate : EightChains<double, 4, 2> {
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
};

/// x = a*b + x, with a different register for each operand of each instruction. With `Shared`, two
/// neighbours have a common a in the same operand slot, so that the second need not read it.
///
/// This measures the operand roof: for each quarter of a multiprocessor, the register file delivers
/// two 64-bit operands in the two cycles of a warp's FP64 instruction (docs/cuda.md). A third one
/// takes extra time, unless the operand cache still holds it from the previous instruction:
/// `.reuse` in machine code.
template <bool Shared>
struct Fp64Operands : EightChains<double, 8, 2> {
  static constexpr int factors = Shared ? chains / 2 : chains;
  double a[factors];
  double b[chains];

  // Each value is read separately, so that the compiler must give it a register of its own.
  __device__ void begin(const volatile float* zero) {
    for (double& one : x) one = *zero;
    for (double& one : a) one = *zero;
    for (double& one : b) one = *zero;
  }
  __device__ void step() {
#pragma unroll
    for (int i = 0; i < chains; ++i)
      asm volatile("fma.rn.f64 %0, %1, %2, %0;"
                   : "+d"(x[i])
                   : "d"(a[Shared ? i / 2 : i]), "d"(b[i]));
  }
};

/// x = x*a + x in single precision.
struct Fp32Fused : EightChains<float, 32, 2> {
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
};

/// x = x*a + x on pairs of half precision in one register: HFMA2.
struct Fp16Fused : EightChains<unsigned, 32, 4> {
  unsigned a;

  __device__ void begin(const volatile float* zero) {
    a = static_cast<unsigned>(*zero);
    for (int i = 0; i < chains; ++i) x[i] = 0x3c003c00U + static_cast<unsigned>(i) + a;  // ~1
  }
  __device__ void step() {
#pragma unroll
    for (int i = 0; i < chains; ++i)
      asm volatile("fma.rn.f16x2 %0, %0, %1, %0;" : "+r"(x[i]) : "r"(a));
  }
};

// The rest counts instructions of any kind per warp: the schedulers' issue rate, and the rates of
// single pipes. Source: Ding and Williams 2019 for the ceilings.

/// The FP64 pipe.
struct IssuedFp64 : Fp64Fused {
  static constexpr double flop_per_step = chains * of_a_warp;
};

/// Byte permutations, which the compiler cannot merge, measure the pipe of integer logic.
struct IssuedAlu : EightChains<unsigned, 32, 1> {
  static constexpr double flop_per_step = chains * of_a_warp;
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
};

/// Powers of two measure the pipe of transcendental functions.
struct IssuedXu : EightChains<float, 8, 1> {
  static constexpr double flop_per_step = chains * of_a_warp;

  __device__ void begin(const volatile float* zero) {
    for (int i = 0; i < chains; ++i) x[i] = *zero - static_cast<float>(i);
  }
  __device__ void step() {
#pragma unroll
    for (int i = 0; i < chains; ++i) asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(x[i]));
  }
};

/// FFMA and permutations alternate: on some chips no single pipe takes one per cycle.
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
