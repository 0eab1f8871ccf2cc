// Products of small matrices on the tensor cores: 16 ig by 8 igp, summed over 16 bands.
#pragma once

#include "variants/cuda/support/packed_bands.cuh"

namespace gpp::cuda {

/// The elements of the product that a lane holds: ig g and g + 8, each for igp 2t and 2t + 1, with
/// g = lane / 4 and t = lane % 4.
inline constexpr int pairs = 4;

/// A lane's part of a real part of aqsn (gpp/forms/moments.h).
struct FirstOperand {
  double element[8];
  __device__ FirstOperand(const double2 (&packed)[4][32], int lane) {
    for (int i = 0; i < 4; ++i) {
      element[2 * i] = packed[i][lane].x;
      element[2 * i + 1] = packed[i][lane].y;
    }
  }
};

/// A lane's part of a real part of aqsm (gpp/forms/moments.h).
struct SecondOperand {
  double element[4];
  __device__ SecondOperand(const double2 (&packed)[2][32], int lane) {
    for (int i = 0; i < 2; ++i) {
      element[2 * i] = packed[i][lane].x;
      element[2 * i + 1] = packed[i][lane].y;
    }
  }
};

/// sums += aqsn aqsm. On Ampere, one instruction does an eighth of it.
__device__ inline void multiply_add(double (&sums)[pairs], const FirstOperand& aqsn,
                                    const SecondOperand& aqsm) {
  const double(&a)[8] = aqsn.element;
  const double(&b)[4] = aqsm.element;
#if __CUDA_ARCH__ >= 900
  asm("mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, "
      "{%4,%5,%6,%7,%8,%9,%10,%11}, {%12,%13,%14,%15}, {%0,%1,%2,%3};"
      : "+d"(sums[0]), "+d"(sums[1]), "+d"(sums[2]), "+d"(sums[3])
      : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(a[4]), "d"(a[5]), "d"(a[6]), "d"(a[7]),
        "d"(b[0]), "d"(b[1]), "d"(b[2]), "d"(b[3]));
#elif __CUDA_ARCH__ >= 800
  for (int eighth = 0; eighth < 8; ++eighth)
    asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
        : "+d"(sums[eighth % 2 * 2]), "+d"(sums[eighth % 2 * 2 + 1])
        : "d"(a[eighth]), "d"(b[eighth / 2]));
#endif
}

/// True if the device has tensor cores for FP64: from compute capability 8.0 on.
inline bool has_fp64_tensor_cores() { return attribute(cudaDevAttrComputeCapabilityMajor) >= 8; }

}  // namespace gpp::cuda
