#include "roofline/ceilings/cuda/arithmetic.h"

#include "roofline/ceilings/cuda/chains.cuh"
#include "roofline/ceilings/cuda/operands.cuh"
#include "roofline/ceilings/cuda/scalar.cuh"
#include "roofline/ceilings/cuda/tensor.cuh"

namespace roofline::gpu {

std::vector<ArithmeticKernel> arithmetic_kernels() {
  return {
      row_of<Fp64Fused>("fp64_fma", "FP64, FMA",
                        "Chains of DFMA x = x*a + x: two distinct register operands, which is as "
                        "many as the register file gives.",
                        &PerCycle::fp64_fma, 2, 60),
      row_of<Fp64Separate>("fp64_no_fma", "FP64, no FMA", "Chains of DMUL and DADD, half and half.",
                           &PerCycle::fp64_fma, 1, 60),
      row_of<Fp64Fused>("fp64_operands_2", "FP64, FMA, 2 operands",
                        "Chains of DFMA with two distinct register operands.", &PerCycle::fp64_fma,
                        2, 60),
      row_of<Fp64Operands<true>>("fp64_operands_2_5", "FP64, FMA, 2.5 operands",
                                 "Chains of DFMA x = a*b + x where two neighbours share a: three "
                                 "register reads and two in turn.",
                                 &PerCycle::fp64_fma, 2, 60),
      row_of<Fp64Operands<false>>("fp64_operands_3", "FP64, FMA, 3 operands",
                                  "Chains of DFMA x = a*b + x, all registers distinct.",
                                  &PerCycle::fp64_fma, 2, 60),
      row_of<Fp32Fused>("fp32_fma", "FP32, FMA", "Chains of FFMA x = x*a + x.", &PerCycle::fp32_fma,
                        2, 60),
      row_of<Fp16Fused>("fp16_fma", "FP16, FMA", "Chains of HFMA2 x = x*a + x on pairs.",
                        &PerCycle::fp16_fma, 2, 60),
      row_of<Fp64Tensor8x8x4>("fp64_tensor", "FP64, tensor", "Chains of DMMA, 8x8x4.",
                              &PerCycle::fp64_tensor_fma, 2, 80),
      row_of<Fp64Tensor16x8x16>("fp64_tensor", "FP64, tensor", "Chains of DMMA, 16x8x16.",
                                &PerCycle::fp64_tensor_fma, 2, 90),
  };
}

}  // namespace roofline::gpu
