// FP64 on the tensor cores: DMMA. A warp multiplies and adds small matrices.
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

}  // namespace roofline::gpu
