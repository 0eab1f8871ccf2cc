// The problem of the toys: one array in, one array out.
#pragma once

#include "runtimes/registration.h"

namespace gpp::toys {

/// A view of two arrays in the memory where variants run. Trivially copyable, so a kernel takes it
/// by value. All numbers are small and have few digits, so no sum is rounded.
struct Numbers {
  long long n = 0;  ///< number of elements, a multiple of `stride`

  const double* b = nullptr;  ///< (n) numbers of [0, 1) with 24 bits
  double* a = nullptr;        ///< (n) the output of variants
};

/// Names all arrays (Relocation of runtimes/registration.h).
void each_array(Numbers& all, auto&& visit) { visit(all.b, all.a); }

inline constexpr int additions = 10'000;  ///< to each element, in A and B
inline constexpr double summand = 1;      ///< that is added
inline constexpr int stride = 16;         ///< doubles from one load to the next, in C
inline constexpr int rows_of_piece = 64;  ///< loads with a stride until the next ones, in c_near

}  // namespace gpp::toys
