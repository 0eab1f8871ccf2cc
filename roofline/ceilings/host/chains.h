// Independent chains of dependent operations, kept in vector registers.
#pragma once

#include <array>
#include <cstddef>
#include <utility>

#include "roofline/ceilings/host/vector.h"

namespace roofline::host {

// Latency times pipes is 8 to 16 on the processors of today; a chain is a register, and two more
// hold the constants.
#if defined(__AVX512F__) || defined(__aarch64__)
inline constexpr int chains = 24;  // of 32 registers
#else
inline constexpr int chains = 12;  // of 16
#endif

template <typename Element>
inline constexpr double lanes = static_cast<double>(vector_bytes) / sizeof(Element);

/// Applies x = Step::apply(x, a, b) to every chain, `steps` times. The values tend to 1, whatever
/// they were. A Step of each source file's own keeps the instantiations apart: their compiler flags
/// differ.
template <typename Element, typename Step>
double run_chains(long long steps) {
  using Vector = typename VectorOf<Element>::type;
  // Read through a volatile: the compiler must not know them.
  volatile Element factor = Element(0.75);
  volatile Element summand = Element(0.25);
  const Vector a = Vector{} + factor;
  const Vector b = Vector{} + summand;
  return [&]<std::size_t... i>(std::index_sequence<i...>) {
    std::array<Vector, chains> x{(Vector{} + Element(i))...};
    for (long long step = 0; step < steps; ++step) ((x[i] = Step::apply(x[i], a, b)), ...);
    const Vector sum = (x[i] + ...);
    double total = 0;
    for (std::size_t lane = 0; lane < sizeof(Vector) / sizeof(Element); ++lane) total += sum[lane];
    return total;
  }
  (std::make_index_sequence<chains>{});
}

}  // namespace roofline::host
