// The problem of the toys: one array in, one array out.
#pragma once

namespace gpp::toys {

/// A view of two arrays in the memory where variants run. Trivially copyable, so a kernel takes it
/// by value. All numbers are small and have few digits, so no sum is rounded.
struct Numbers {
  long long n = 0;  ///< number of elements, a multiple of `stride`

  const double* b = nullptr;  ///< (n) numbers of [0, 1) with 24 bits
  double* a = nullptr;        ///< (n) the output of variants
};

inline constexpr int additions = 10'000;  ///< additions per element in A and B
inline constexpr double summand = 1;      ///< the number that is added
inline constexpr int stride = 16;         ///< doubles between consecutive loads in C
inline constexpr int rows_of_piece = 64;  ///< strided loads per piece in c_near

}  // namespace gpp::toys
