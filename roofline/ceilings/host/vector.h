// The vectors that this program was built for.
#pragma once

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

}  // namespace roofline::host
