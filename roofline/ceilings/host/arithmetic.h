// Floating-point work that nothing but the arithmetic units limits.
#pragma once

#include <span>
#include <string_view>

namespace roofline::host {

/// A benchmark of arithmetic.
struct ArithmeticKernel {
  std::string_view name;   ///< of the ceiling
  std::string_view label;  ///< for people
  std::string_view definition;
  bool fused;                      ///< uses fused multiply-adds where the processor has them
  int bytes_of_element;            ///< 8 or 4
  double (*run)(long long steps);  ///< one thread's work; its result depends on all of it
  double flop_per_step;
};

/// FP64 and FP32 with fused multiply-adds.
std::span<const ArithmeticKernel> fused_kernels();

/// FP64 with multiplications and additions apart, as many of each.
std::span<const ArithmeticKernel> separate_kernels();

}  // namespace roofline::host
