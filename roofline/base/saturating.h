// Sums and products of sizes that saturate at the largest integer instead of overflowing, so that
// even a damaged file's numbers can be compared.
#pragma once

#include <cstdint>
#include <limits>

namespace roofline {

inline std::int64_t saturating_sum(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? std::numeric_limits<std::int64_t>::max() : sum;
}

/// The product of two nonnegative sizes.
inline std::int64_t saturating_product(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? std::numeric_limits<std::int64_t>::max()
                                                : product;
}

}  // namespace roofline
