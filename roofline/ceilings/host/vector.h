// The widest vectors that this program was built for.
#pragma once

namespace roofline::host {

#if defined(__AVX512F__)
inline constexpr int vector_bytes = 64;
#elif defined(__AVX__)
inline constexpr int vector_bytes = 32;
#else
inline constexpr int vector_bytes = 16;
#endif

/// A vector of `Element`s for the compiler's own vector arithmetic.
template <typename Element>
struct VectorOf {
  typedef Element type __attribute__((vector_size(vector_bytes)));  // NOLINT(modernize-use-using)
};

}  // namespace roofline::host
