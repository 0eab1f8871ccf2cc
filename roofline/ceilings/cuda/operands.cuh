// The operand roof: the register file gives a multiprocessor's quarter two 64-bit operands in the
// two cycles that a warp's FP64 instruction takes (docs/cuda.md). A third distinct one costs time,
// unless the operand cache still holds it from the neighbour: `.reuse` in the machine code.
#pragma once

namespace roofline::gpu {

/// x = a*b + x, every operand of every instruction another register; `Shared`: two neighbours have
/// one a, in the same place, so that the second need not read it.
template <bool Shared>
struct Fp64Operands {
  static constexpr int blocks = 4;
  static constexpr int chains = 8;
  static constexpr int unroll = 8;
  static constexpr double flop_per_step = 2 * chains;
  static constexpr int factors = Shared ? chains / 2 : chains;
  double x[chains];
  double a[factors];
  double b[chains];

  // Every value is read anew: the compiler must keep them apart, each in a register of its own.
  __device__ void begin(const volatile float* zero) {
    for (int i = 0; i < chains; ++i) x[i] = *zero;
    for (int i = 0; i < factors; ++i) a[i] = *zero;
    for (int i = 0; i < chains; ++i) b[i] = *zero;
  }
  __device__ void step() {
#pragma unroll
    for (int i = 0; i < chains; ++i)
      asm volatile("fma.rn.f64 %0, %1, %2, %0;"
                   : "+d"(x[i])
                   : "d"(a[Shared ? i / 2 : i]), "d"(b[i]));
  }
  __device__ float end() const {
    double sum = 0;
    for (int i = 0; i < chains; ++i) sum += x[i];
    return static_cast<float>(sum);
  }
};

}  // namespace roofline::gpu
