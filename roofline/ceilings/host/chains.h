// Floating-point benchmarks that only the arithmetic units limit: independent chains of dependent
// operations, kept in registers, for each vector width that this program is compiled for.
#pragma once

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>
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

// Latency times pipes is 8 to 16 on current processors. Each chain takes one register, and
// constants take two more.
#if defined(__AVX512VL__) || defined(__aarch64__)
inline constexpr int chains = 24;  // chains for 32 vector registers
#else
inline constexpr int chains = 12;  // chains for 16 vector registers
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
  Operation operation = Operation::fused;
  int bytes = 0;                             ///< bytes per vector, or per element for scalars
  int bytes_of_element = 0;                  ///< bytes of an element: 8 or 4
  double (*run)(long long steps) = nullptr;  ///< one thread's work; its result uses all of it

  /// FLOP per step, or divisions.
  double operations_per_step() const {
    return (operation == Operation::division ? 1.0 : 2.0) * chains * bytes / bytes_of_element;
  }
};

/// FP64 with fused multiply-adds: the widest vectors, each smaller width, and scalars; and FP32 on
/// the widest vectors.
std::vector<ArithmeticKernel> fused_kernels();

/// FP64 with separate multiplications and additions, in the same order; then FP64 divisions: on the
/// widest vectors, and scalars.
std::vector<ArithmeticKernel> unfused_kernels();

template <typename Element, typename Vector>
double sum_of_lanes(const Vector& vector) {
  if constexpr (std::is_same_v<Vector, Element>) {
    return vector;
  } else {
    double total = 0;
    for (std::size_t lane = 0; lane < sizeof(Vector) / sizeof(Element); ++lane)
      total += vector[lane];
    return total;
  }
}

/// Applies x = Step::apply(x, a, b) to every chain, `steps` times, on vectors of `bytes`; a and b
/// are Step::factor and Step::summand. Returns the sum of all. Each source file has its own Step,
/// which separates instantiations with different compiler flags.
template <typename Element, int bytes, typename Step>
double run_chains(long long steps) {
  using Vector = typename VectorOf<Element, bytes>::type;
  // The factor is read through a volatile, so that the compiler does not know it.
  volatile Element factor = Step::factor;
  volatile Element summand = Step::summand;
  const Vector a = Vector{} + factor;
  const Vector b = Vector{} + summand;
  return [&]<std::size_t... i>(std::index_sequence<i...>) {
    std::array<Vector, chains> x{(Vector{} + Element(i + 1))...};
    for (long long step = 0; step < steps; ++step) ((x[i] = Step::apply(x[i], a, b)), ...);
    return sum_of_lanes<Element, Vector>((x[i] + ...));
  }
  (std::make_index_sequence<chains>{});
}

/// A benchmark of chains of Step on vectors of `bytes`.
template <typename Step, int bytes = vector_bytes, typename Element = double>
ArithmeticKernel kernel_of(Operation operation) {
  return {operation, bytes, sizeof(Element), run_chains<Element, bytes, Step>};
}

/// All widths, widest first.
template <typename Step, int bytes = vector_bytes>
void add_widths(std::vector<ArithmeticKernel>& kernels, Operation operation) {
  kernels.push_back(kernel_of<Step, bytes>(operation));
  if constexpr (bytes > static_cast<int>(sizeof(double)))
    add_widths<Step, bytes / 2>(kernels, operation);
}

}  // namespace roofline::host
