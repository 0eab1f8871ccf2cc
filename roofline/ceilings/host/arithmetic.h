// Floating-point work that nothing but the arithmetic units limits, on the vectors that this
// program was built for.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace roofline::host {

/// The widest.
#if defined(__AVX512F__)
inline constexpr int vector_bytes = 64;
#elif defined(__AVX__)
inline constexpr int vector_bytes = 32;
#else
inline constexpr int vector_bytes = 16;
#endif

/// A vector of `Element`s for the compiler's own vector arithmetic; where its bytes are those of
/// one element, the element itself.
template <typename Element, int bytes = vector_bytes>
struct VectorOf {
  typedef Element type __attribute__((vector_size(bytes)));  // NOLINT(modernize-use-using)
};

template <>
struct VectorOf<double, sizeof(double)> {
  using type = double;
};

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
