// Independent chains of dependent operations, kept in registers, for each vector width that this
// program is compiled for.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "roofline/ceilings/host/arithmetic.h"

namespace roofline::host {

// Latency times pipes is 8 to 16 on current processors. Each chain takes one register, and
// constants take two more.
#if defined(__AVX512VL__) || defined(__aarch64__)
inline constexpr int chains = 24;  // chains for 32 vector registers
#else
inline constexpr int chains = 12;  // chains for 16 vector registers
#endif

/// The number of elements that all chains process in one step.
template <typename Element, int bytes>
inline constexpr double elements = chains* static_cast<double>(bytes) / sizeof(Element);

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

/// A benchmark of FP64 chains of Step on vectors of `bytes`, with two operations per element.
template <typename Step, int bytes>
ArithmeticKernel fp64_kernel(std::string_view name, Operation operation) {
  return {
      name_of_width(bytes, name), operation, bytes, sizeof(double), run_chains<double, bytes, Step>,
      2 * elements<double, bytes>};
}

/// All widths, widest first.
template <typename Step, int bytes = vector_bytes>
void add_widths(std::vector<ArithmeticKernel>& kernels, std::string_view name,
                Operation operation) {
  kernels.push_back(fp64_kernel<Step, bytes>(name, operation));
  if constexpr (bytes > static_cast<int>(sizeof(double)))
    add_widths<Step, bytes / 2>(kernels, name, operation);
}

}  // namespace roofline::host
