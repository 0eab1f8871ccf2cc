#include "roofline/ceilings/cuda/arithmetic.h"

#include "roofline/ceilings/cuda/chains.cuh"
#include "roofline/ceilings/cuda/scalar.cuh"
#include "roofline/ceilings/cuda/tensor.cuh"

namespace roofline::gpu {
namespace {

/// The reason for 1.6: mma.sync reaches 62.9% of the peak on average, wgmma more than 95% (Luo et
/// al. 2025, section 6.2).
template <typename Type>
ArithmeticKernel tensor_row(const char* name, const char* label, const std::string& instruction,
                            PipeRate fma) {
  return row_of<NarrowTensor<Type>>(
      name, label,
      "Chains of the warp's instruction mma.sync: " + instruction +
          ". Hopper has instructions of four warps together (wgmma), which are not measured here "
          "and reach up to about 1.6 times as much: a point may lie above this roof.",
      fma, 2, 80);
}

ArithmeticKernel fp8_row() {
  ArithmeticKernel row = tensor_row<TensorFp8>(
      "fp8_tensor", "FP8, tensor", "16x8x32, E4M3, added up in FP32", &PerCycle::fp8_tensor_fma);
  row.needs_code_of = 89;
  row.not_later =
      "needs a device of compute capability 8.9; on 9.0 the warp's instruction mma.sync converts "
      "FP8 to FP16 first, and the one of four warps together (wgmma) is not measured";
  return row;
}

}  // namespace

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
      tensor_row<TensorFp16>("fp16_tensor", "FP16, tensor", "16x8x16, FP16, added up in FP32",
                             &PerCycle::fp16_tensor_fma),
      tensor_row<TensorBf16>("bf16_tensor", "BF16, tensor", "16x8x16, BF16, added up in FP32",
                             &PerCycle::fp16_tensor_fma),
      tensor_row<TensorTf32>("tf32_tensor", "TF32, tensor", "16x8x8, TF32, added up in FP32",
                             &PerCycle::tf32_tensor_fma),
      fp8_row(),
      tensor_row<TensorInt8>("int8_tensor", "INT8, tensor",
                             "16x8x32, 8-bit integers, added up in 32 bits; integer operations, "
                             "given as FLOP",
                             &PerCycle::int8_tensor_fma),
      row_of<Issued>("issue", "warp instructions", "Chains of FFMA and PRMT in turn.",
                     &PerCycle::issue, of_a_warp, 60),
      row_of<IssuedFp64>("issue_fp64", "FP64 pipe", "Chains of DFMA.", &PerCycle::fp64_fma,
                         of_a_warp, 60),
      row_of<IssuedAlu>("issue_alu", "ALU pipe", "Chains of PRMT.", &PerCycle::alu, of_a_warp, 60),
      row_of<IssuedXu>("issue_xu", "XU pipe", "Chains of MUFU.EX2.", &PerCycle::xu, of_a_warp, 60),
  };
}

}  // namespace roofline::gpu
