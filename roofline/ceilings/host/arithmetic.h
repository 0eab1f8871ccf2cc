// Floating-point work that nothing but the arithmetic units limits.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "roofline/ceilings/host/vector.h"

namespace roofline::host {

enum class Operation {
  fused,     ///< multiply-adds, in one instruction where the processor has it
  separate,  ///< as many multiplications as additions, apart
  division
};

/// A benchmark of arithmetic.
struct ArithmeticKernel {
  std::string name;  ///< of the ceiling
  Operation operation = Operation::fused;
  int bytes = 0;                             ///< of a vector; those of an element: scalar
  int bytes_of_element = 0;                  ///< 8 or 4
  double (*run)(long long steps) = nullptr;  ///< one thread's work; its result depends on all
  double operations_per_step = 0;            ///< FLOP, or divisions
};

/// FP64 with fused multiply-adds, the widest vectors first, then each width below and scalars; and
/// FP32 on the widest.
std::vector<ArithmeticKernel> fused_kernels();

/// FP64 with multiplications and additions apart, in the same order.
std::vector<ArithmeticKernel> separate_kernels();

/// FP64 divisions: on the widest vectors, and scalars.
std::vector<ArithmeticKernel> division_kernels();

/// "fp64_fma" for the widest vectors, "fp64_256_fma" below, "fp64_scalar_fma".
inline std::string name_of_width(int bytes, std::string_view operation) {
  std::string name = "fp64_";
  if (bytes == static_cast<int>(sizeof(double)))
    name += "scalar_";
  else if (bytes < vector_bytes)
    name += std::to_string(8 * bytes) + "_";
  return name.append(operation);
}

}  // namespace roofline::host
