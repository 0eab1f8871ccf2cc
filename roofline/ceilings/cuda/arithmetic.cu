// Arithmetic: independent chains of dependent operations, kept in registers.
#include "roofline/ceilings/cuda/gpu.h"
#include "roofline/ceilings/cuda/tensor.cuh"
#include "roofline/ceilings/cuda/watch.cuh"

namespace roofline::gpu {
namespace {

/// Does `steps` steps of the work in every thread. A Work defines
///   unroll              the number of its steps in one pass of the loop,
///   blocks              per multiprocessor, which limits registers: 4 leave 64 per thread,
///   begin(zero)         initial registers, unknown to the compiler: Board::zero,
///   step()              its operations, as PTX that the compiler can neither merge nor remove,
///   end()               a number that depends on all registers.
template <typename Work>
__global__ void __launch_bounds__(arithmetic_threads, Work::blocks)
    chains_kernel(int steps, Board* board) {
  const ClockReading start = read_clock();
  Work work;
  work.begin(&board->zero);
#pragma unroll 1
  for (int step = 0; step < steps; step += Work::unroll) {
#pragma unroll
    for (int i = 0; i < Work::unroll; ++i) work.step();
  }
  if (work.end() == 1.2345e30f) board->clock.cycles = 0;  // never true
  leave_clock(start, board);
}

/// The number of steps is a multiple of the unrolled loop.
template <typename Work>
void launch_chains(int blocks, long long rounds, Board* board) {
  chains_kernel<Work>
      <<<blocks, arithmetic_threads>>>(static_cast<int>(rounds) * Work::unroll, board);
}

constexpr double of_a_warp = 1.0 / 32;  // a thread's instruction counts as part of its warp's

/// x = Own::apply(x, a) in eight chains. `operations` are those of a warp's 32 threads in one.
template <typename Own, typename Number, int Unroll, int operations>
struct EightChains {
  static constexpr int blocks = 4;
  static constexpr int chains = 8;
  static constexpr int unroll = Unroll;
  static constexpr double flop_per_step = chains * operations * of_a_warp;
  static constexpr bool whole = Number(0.5) == Number(0);
  Number x[chains];
  Number a;

  __device__ void begin(const volatile float* zero) {
    if constexpr (whole)
      a = __float_as_uint(*zero);
    else
      a = *zero;
    for (int i = 0; i < chains; ++i)
      if constexpr (whole)
        x[i] = 1U + static_cast<unsigned>(i) + a;
      else
        x[i] = 1 + i + *zero;
  }
  __device__ void step() {
#pragma unroll
    for (int i = 0; i < chains; ++i) Own::apply(x[i], a);
  }
  /// Combines the chains. Integers are used as the bits of a float, because the compiler drops
  /// chains with a predictable end.
  __device__ float end() const {
    Number all = 0;
    for (const Number one : x)
      if constexpr (whole)
        all ^= one;
      else
        all += one;
    if constexpr (whole)
      return __uint_as_float(all);
    else
      return static_cast<float>(all);
  }
};

/// x = x*a + x: DFMA with two distinct register operands.
struct Fp64Fused : EightChains<Fp64Fused, double, 8, 64> {
  __device__ static void apply(double& x, double a) {
    asm volatile("fma.rn.f64 %0, %0, %1, %0;" : "+d"(x) : "d"(a));
  }
};

/// x = x*a, x = x + b: as many DMUL as DADD.
struct Fp64Separate : EightChains<Fp64Separate, double, 4, 64> {
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
struct Fp64Operands : EightChains<Fp64Operands<Shared>, double, 8, 64> {
  using Base = EightChains<Fp64Operands<Shared>, double, 8, 64>;
  double factors[Shared ? Base::chains / 2 : Base::chains];
  double b[Base::chains];

  // Each value is read separately, so that the compiler must give it a register of its own.
  __device__ void begin(const volatile float* zero) {
    for (double& one : this->x) one = *zero;
    for (double& one : factors) one = *zero;
    for (double& one : b) one = *zero;
  }
  __device__ void step() {
#pragma unroll
    for (int i = 0; i < Base::chains; ++i)
      asm volatile("fma.rn.f64 %0, %1, %2, %0;"
                   : "+d"(this->x[i])
                   : "d"(factors[Shared ? i / 2 : i]), "d"(b[i]));
  }
};

/// x = x*a + x in single precision.
struct Fp32Fused : EightChains<Fp32Fused, float, 32, 64> {
  __device__ static void apply(float& x, float a) {
    asm volatile("fma.rn.f32 %0, %0, %1, %0;" : "+f"(x) : "f"(a));
  }
};

/// x = x*a + x on pairs of half precision in one register: HFMA2.
struct Fp16Fused : EightChains<Fp16Fused, unsigned, 32, 128> {
  __device__ void begin(const volatile float* zero) {
    a = static_cast<unsigned>(*zero);
    for (int i = 0; i < chains; ++i) x[i] = 0x3c003c00U + static_cast<unsigned>(i) + a;  // ~1
  }
  __device__ static void apply(unsigned& x, unsigned a) {
    asm volatile("fma.rn.f16x2 %0, %0, %1, %0;" : "+r"(x) : "r"(a));
  }
};

// The rest counts instructions of any kind per warp: the schedulers' issue rate, and the rates of
// single pipes. Source: Ding and Williams 2019 for the ceilings.

/// The FP64 pipe.
struct IssuedFp64 : Fp64Fused {
  static constexpr double flop_per_step = chains * of_a_warp;
};

/// Byte permutations, which the compiler cannot merge, measure the pipe of integer logic.
struct IssuedAlu : EightChains<IssuedAlu, unsigned, 32, 1> {
  __device__ static void apply(unsigned& x, unsigned a) {
    asm volatile("prmt.b32 %0, %0, %1, 0x2103;" : "+r"(x) : "r"(a));
  }
};

/// Powers of two measure the pipe of transcendental functions.
struct IssuedXu : EightChains<IssuedXu, float, 8, 1> {
  __device__ void begin(const volatile float* zero) {
    for (int i = 0; i < chains; ++i) x[i] = *zero - static_cast<float>(i);
  }
  __device__ static void apply(float& x, float) {
    asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(x));
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
      Fp32Fused::apply(numbers.x[i], numbers.a);
      IssuedAlu::apply(bytes.x[i], bytes.a);
    }
  }
  __device__ float end() const { return numbers.end() + bytes.end(); }
};

template <typename Work>
ArithmeticKernel row_of(const char* name, const char* label, const std::string& definition,
                        PipeRate fma, double flop_per_fma = 2, int needs_code_of = 60) {
  return {name,
          label,
          definition,
          reinterpret_cast<const void*>(&chains_kernel<Work>),
          &launch_chains<Work>,
          Work::unroll * Work::flop_per_step,
          fma,
          flop_per_fma,
          needs_code_of};
}

/// The reason for 1.6: mma.sync reaches 62.9% of the peak on average, wgmma more than 95% (Luo et
/// al. 2025, section 6.2).
template <typename Type>
ArithmeticKernel tensor_row(const char* name, const char* label, const std::string& instruction,
                            PipeRate fma, int needs_code_of = 80) {
  return row_of<TensorChains<Type>>(
      name, label,
      "Chains of the warp's instruction mma.sync: " + instruction +
          ". Hopper has instructions of four warps together (wgmma), which are not measured here "
          "and reach up to about 1.6 times as much: a point may lie above this roof.",
      fma, 2, needs_code_of);
}

}  // namespace

std::vector<ArithmeticKernel> arithmetic_kernels() {
  using P = PerCycle;
  std::vector<ArithmeticKernel> rows = {
      row_of<Fp64Fused>("fp64_fma", "FP64, FMA",
                        "Chains of DFMA x = x*a + x: two distinct register operands, which is as "
                        "many as the register file gives.",
                        &P::fp64_fma),
      row_of<Fp64Separate>("fp64_no_fma", "FP64, no FMA", "Chains of DMUL and DADD, half and half.",
                           &P::fp64_fma, 1),
      row_of<Fp64Fused>("fp64_operands_2", "FP64, FMA, 2 operands",
                        "Chains of DFMA with two distinct register operands.", &P::fp64_fma),
      row_of<Fp64Operands<true>>("fp64_operands_2_5", "FP64, FMA, 2.5 operands",
                                 "Chains of DFMA x = a*b + x where two neighbours share a: three "
                                 "register reads and two in turn.",
                                 &P::fp64_fma),
      row_of<Fp64Operands<false>>("fp64_operands_3", "FP64, FMA, 3 operands",
                                  "Chains of DFMA x = a*b + x, all registers distinct.",
                                  &P::fp64_fma),
      row_of<Fp32Fused>("fp32_fma", "FP32, FMA", "Chains of FFMA x = x*a + x.", &P::fp32_fma),
      row_of<Fp16Fused>("fp16_fma", "FP16, FMA", "Chains of HFMA2 x = x*a + x on pairs.",
                        &P::fp16_fma),
      row_of<TensorChains<Fp64Tensor8x8x4>>("fp64_tensor", "FP64, tensor", "Chains of DMMA, 8x8x4.",
                                            &P::fp64_tensor_fma, 2, 80),
      row_of<TensorChains<Fp64Tensor16x8x16>>(
          "fp64_tensor", "FP64, tensor", "Chains of DMMA, 16x8x16.", &P::fp64_tensor_fma, 2, 90),
      tensor_row<TensorFp16>("fp16_tensor", "FP16, tensor", "16x8x16, FP16, added up in FP32",
                             &P::fp16_tensor_fma),
      tensor_row<TensorBf16>("bf16_tensor", "BF16, tensor", "16x8x16, BF16, added up in FP32",
                             &P::fp16_tensor_fma),
      tensor_row<TensorTf32>("tf32_tensor", "TF32, tensor", "16x8x8, TF32, added up in FP32",
                             &P::tf32_tensor_fma),
      tensor_row<TensorInt8>("int8_tensor", "INT8, tensor",
                             "16x8x32, 8-bit integers, added up in 32 bits; integer operations, "
                             "given as FLOP",
                             &P::int8_tensor_fma),
      row_of<Issued>("issue", "warp instructions", "Chains of FFMA and PRMT in turn.", &P::issue,
                     of_a_warp),
      row_of<IssuedFp64>("issue_fp64", "FP64 pipe", "Chains of DFMA.", &P::fp64_fma, of_a_warp),
      row_of<IssuedAlu>("issue_alu", "ALU pipe", "Chains of PRMT.", &P::alu, of_a_warp),
      row_of<IssuedXu>("issue_xu", "XU pipe", "Chains of MUFU.EX2.", &P::xu, of_a_warp),
      tensor_row<TensorFp8>("fp8_tensor", "FP8, tensor", "16x8x32, E4M3, added up in FP32",
                            &P::fp8_tensor_fma, 89)};
  rows.back().not_later =
      "needs a device of compute capability 8.9; on 9.0 the warp's instruction mma.sync converts "
      "FP8 to FP16 first, and the one of four warps together (wgmma) is not measured";
  return rows;
}

}  // namespace roofline::gpu
