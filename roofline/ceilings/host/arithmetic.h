// Floating-point benchmarks that only the arithmetic units limit, with the vectors that this
// program is compiled for.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace roofline::host {

/// The widest vectors of the target processor.
#if defined(__AVX512F__)
inline constexpr int vector_bytes = 64;
#elif defined(__AVX__)
inline constexpr int vector_bytes = 32;
#else
inline constexpr int vector_bytes = 16;
#endif

/// A vector of `Element`s for the compiler's vector arithmetic, or a single element if its bytes
/// are those of one.
template <typename Element, int bytes = vector_bytes>
struct VectorOf {
  typedef Element type __attribute__((vector_size(bytes)));  // NOLINT(modernize-use-using)
};

template <>
struct VectorOf<double, sizeof(double)> {
  using type = double;
};

enum class Operation {
  fused,     ///< multiply-adds, in one instruction if the processor has it
  separate,  ///< as many separate multiplications as additions
  division
};

/// An arithmetic benchmark.
struct ArithmeticKernel {
  std::string name;  ///< name of its ceiling
  Operation operation = Operation::fused;
  int bytes = 0;                             ///< bytes per vector, or per element for scalars
  int bytes_of_element = 0;                  ///< bytes of an element: 8 or 4
  double (*run)(long long steps) = nullptr;  ///< one thread's work; its result uses all of it
  double operations_per_step = 0;            ///< FLOP per step, or divisions
};

/// FP64 with fused multiply-adds: the widest vectors, each smaller width, and scalars; and FP32 on
/// the widest vectors.
std::vector<ArithmeticKernel> fused_kernels();

/// FP64 with separate multiplications and additions, in the same order.
std::vector<ArithmeticKernel> separate_kernels();

/// FP64 divisions: on the widest vectors, and scalars.
std::vector<ArithmeticKernel> division_kernels();

/// Returns "fp64_fma" for the widest vectors, "fp64_256_fma" for smaller ones, "fp64_scalar_fma".
inline std::string name_of_width(int bytes, std::string_view operation) {
  std::string name = "fp64_";
  if (bytes == static_cast<int>(sizeof(double)))
    name += "scalar_";
  else if (bytes < vector_bytes)
    name += std::to_string(8 * bytes) + "_";
  return name.append(operation);
}

}  // namespace roofline::host
