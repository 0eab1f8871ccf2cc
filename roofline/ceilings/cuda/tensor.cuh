// The tensor cores: a warp multiplies and adds small matrices of FP64 (DMMA) and of narrower types
// (HMMA, IMMA, QMMA).
#pragma once

namespace roofline::gpu {

/// An instruction that adds the product of an m x k and a k x n matrix to sums, with a thread's
/// registers for each (PTX ISA, "Matrix Fragments for mma"), and how many chains of it keep the
/// tensor cores busy.
template <typename SumType, typename InType, int m, int n, int k, int registers_of_a,
          int registers_of_b, int Blocks, int Chains, int Unroll>
struct TensorShape {
  using Sum = SumType;
  using In = InType;
  using Sums = Sum[m * n / 32];
  using A = In[registers_of_a];
  using B = In[registers_of_b];
  static constexpr int blocks = Blocks;
  static constexpr int chains = Chains;
  static constexpr int unroll = Unroll;
  static constexpr double flop_per_step = chains * 2.0 * m * n * k / 32;
};

/// From compute capability 8.0 on.
struct Fp64Tensor8x8x4 : TensorShape<double, double, 8, 8, 4, 1, 1, 4, 8, 8> {
  __device__ static void mma([[maybe_unused]] Sums& sum, [[maybe_unused]] A& a,
                             [[maybe_unused]] B& b) {
#if __CUDA_ARCH__ >= 800
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
                 : "+d"(sum[0]), "+d"(sum[1])
                 : "d"(a[0]), "d"(b[0]));
#endif
  }
};

/// From compute capability 9.0 on.
struct Fp64Tensor16x8x16 : TensorShape<double, double, 16, 8, 16, 8, 4, 2, 4, 4> {
  __device__ static void mma([[maybe_unused]] Sums& sum, [[maybe_unused]] A& a,
                             [[maybe_unused]] B& b) {
#if __CUDA_ARCH__ >= 900
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, "
        "{%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15}, {%0, %1, %2, %3};"
        : "+d"(sum[0]), "+d"(sum[1]), "+d"(sum[2]), "+d"(sum[3])
        : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(a[4]), "d"(a[5]), "d"(a[6]), "d"(a[7]),
          "d"(b[0]), "d"(b[1]), "d"(b[2]), "d"(b[3]));
#endif
  }
};

#if __CUDA_ARCH__ >= 800
#define ROOFLINE_FROM_80(statement) statement
#else
#define ROOFLINE_FROM_80(statement)
#endif
#if __CUDA_ARCH__ == 890
#define ROOFLINE_ON_89(statement) statement
#else
#define ROOFLINE_ON_89(statement)
#endif

// 16x8 += 16xK * Kx8. Only the instruction differs.
#define ROOFLINE_TENSOR(name, type, k, where, instruction, constraint)                             \
  struct name : TensorShape<type, unsigned, 16, 8, k, 4, 2, 4, 8, 4> {                             \
    __device__ static void mma([[maybe_unused]] Sums& sum, [[maybe_unused]] A& a,                  \
                               [[maybe_unused]] B& b) {                                            \
      where(asm volatile("mma.sync.aligned." instruction                                           \
                         " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"        \
                         : "+" constraint(sum[0]), "+" constraint(sum[1]), "+" constraint(sum[2]), \
                           "+" constraint(sum[3])                                                  \
                         : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));)     \
    }                                                                                              \
  }

/// Two FP16 numbers per register, with sums in FP32.
ROOFLINE_TENSOR(TensorFp16, float, 16, ROOFLINE_FROM_80, "m16n8k16.row.col.f32.f16.f16.f32", "f");
ROOFLINE_TENSOR(TensorBf16, float, 16, ROOFLINE_FROM_80, "m16n8k16.row.col.f32.bf16.bf16.f32", "f");
ROOFLINE_TENSOR(TensorTf32, float, 8, ROOFLINE_FROM_80, "m16n8k8.row.col.f32.tf32.tf32.f32", "f");
/// E4M3, only on compute capability 8.9. For 9.0 the assembler emits conversions and FP16.
ROOFLINE_TENSOR(TensorFp8, float, 32, ROOFLINE_ON_89, "m16n8k32.row.col.f32.e4m3.e4m3.f32", "f");
/// The sums are 32-bit integers.
ROOFLINE_TENSOR(TensorInt8, int, 32, ROOFLINE_FROM_80, "m16n8k32.row.col.s32.s8.s8.s32", "r");

#undef ROOFLINE_TENSOR

/// Chains of one type's instruction. The bits of zero are equal in every type.
template <typename Type>
struct TensorChains : Type {
  typename Type::Sums x[Type::chains];
  typename Type::A a;
  typename Type::B b;

  __device__ void begin(const volatile float* zero) {
    for (auto& value : a) set(value, *zero);
    for (auto& value : b) set(value, *zero);
    for (int i = 0; i < Type::chains; ++i)
      for (auto& value : x[i]) value = static_cast<typename Type::Sum>(i + *zero);
  }
  __device__ void step() {
#pragma unroll
    for (int i = 0; i < Type::chains; ++i) Type::mma(x[i], a, b);
  }
  __device__ float end() const {
    typename Type::Sum sum = 0;
    for (int i = 0; i < Type::chains; ++i)
      for (const auto value : x[i]) sum += value;
    return bits(sum);
  }

 private:
  __device__ static void set(double& value, float zero) { value = zero; }
  __device__ static void set(unsigned& value, float zero) { value = __float_as_uint(zero); }
  __device__ static float bits(double sum) { return static_cast<float>(sum); }
  __device__ static float bits(float sum) { return sum; }
  /// The bits are not converted. No converted integer equals the constant of the final comparison,
  /// and a compiler that notices this would remove the work.
  __device__ static float bits(int sum) { return __int_as_float(sum); }
};

}  // namespace roofline::gpu
