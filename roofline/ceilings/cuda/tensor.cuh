// The tensor cores: a warp multiplies and adds small matrices of FP64 (DMMA) and of narrower types
// (HMMA, IMMA, QMMA).
#pragma once

namespace roofline::gpu {

/// 8x8 += 8x4 * 4x8, from compute capability 8.0 on.
struct Fp64Tensor8x8x4 {
  static constexpr int blocks = 4;
  static constexpr int chains = 8;
  static constexpr int unroll = 8;
  static constexpr double flop_per_step = chains * 2.0 * 8 * 8 * 4 / 32;
  double x[chains][2];
  double a;
  double b;

  __device__ void begin(const volatile float* zero) {
    a = *zero;
    b = *zero;
    for (int i = 0; i < chains; ++i) x[i][0] = x[i][1] = i + *zero;
  }
  __device__ void step() {
#if __CUDA_ARCH__ >= 800
#pragma unroll
    for (int i = 0; i < chains; ++i)
      asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
                   : "+d"(x[i][0]), "+d"(x[i][1])
                   : "d"(a), "d"(b));
#endif
  }
  __device__ float end() const {
    double sum = 0;
    for (int i = 0; i < chains; ++i) sum += x[i][0] + x[i][1];
    return static_cast<float>(sum);
  }
};

/// 16x8 += 16x16 * 16x8, from compute capability 9.0 on.
struct Fp64Tensor16x8x16 {
  static constexpr int blocks = 2;
  static constexpr int chains = 4;
  static constexpr int unroll = 4;
  static constexpr double flop_per_step = chains * 2.0 * 16 * 8 * 16 / 32;
  double x[chains][4];
  double a[8];
  double b[4];

  __device__ void begin(const volatile float* zero) {
    for (double& value : a) value = *zero;
    for (double& value : b) value = *zero;
    for (int i = 0; i < chains; ++i)
      for (double& value : x[i]) value = i + *zero;
  }
  __device__ void step() {
#if __CUDA_ARCH__ >= 900
#pragma unroll
    for (int i = 0; i < chains; ++i)
      asm volatile(
          "mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, "
          "{%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15}, {%0, %1, %2, %3};"
          : "+d"(x[i][0]), "+d"(x[i][1]), "+d"(x[i][2]), "+d"(x[i][3])
          : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(a[4]), "d"(a[5]), "d"(a[6]), "d"(a[7]),
            "d"(b[0]), "d"(b[1]), "d"(b[2]), "d"(b[3]));
#endif
  }
  __device__ float end() const {
    double sum = 0;
    for (int i = 0; i < chains; ++i)
      for (const double value : x[i]) sum += value;
    return static_cast<float>(sum);
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

// 16x8 += 16xK * Kx8. For every type, a thread has four registers of the sums, four of A and two of
// B (PTX ISA, "Matrix Fragments for mma"); only the instruction differs.
#define ROOFLINE_TENSOR(name, type, k, where, instruction, constraint)                             \
  struct name {                                                                                    \
    using Sum = type;                                                                              \
    static constexpr int depth = k;                                                                \
    __device__ static void mma([[maybe_unused]] Sum (&sum)[4], [[maybe_unused]] unsigned (&a)[4],  \
                               [[maybe_unused]] unsigned (&b)[2]) {                                \
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
struct NarrowTensor {
  static constexpr int blocks = 4;
  static constexpr int chains = 8;
  static constexpr int unroll = 4;
  static constexpr double flop_per_step = chains * 2.0 * 16 * 8 * Type::depth / 32;
  typename Type::Sum x[chains][4];
  unsigned a[4];
  unsigned b[2];

  __device__ void begin(const volatile float* zero) {
    for (unsigned& value : a) value = __float_as_uint(*zero);
    for (unsigned& value : b) value = __float_as_uint(*zero);
    for (int i = 0; i < chains; ++i)
      for (auto& value : x[i]) value = static_cast<typename Type::Sum>(i + *zero);
  }
  __device__ void step() {
#pragma unroll
    for (int i = 0; i < chains; ++i) Type::mma(x[i], a, b);
  }
  __device__ float end() const {
    typename Type::Sum sum = 0;
    for (int i = 0; i < chains; ++i)
      for (const auto value : x[i]) sum += value;
    return bits(sum);
  }

 private:
  __device__ static float bits(float sum) { return sum; }
  /// The bits are not converted. No converted integer equals the constant of the final comparison,
  /// and a compiler that notices this would remove the work.
  __device__ static float bits(int sum) { return __int_as_float(sum); }
};

}  // namespace roofline::gpu
