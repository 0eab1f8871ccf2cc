// The plane waves of an input, and the box in which their products are transformed.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <span>
#include <tuple>
#include <vector>

namespace gpp::epsilon {

/// A vector of integers.
struct Vector {
  int x, y, z;
  int square() const { return x * x + y * y + z * z; }
  int largest() const { return std::max({std::abs(x), std::abs(y), std::abs(z)}); }
};

/// The `count` shortest vectors, in order of length.
inline std::vector<Vector> shortest(int count) {
  // A sphere of this radius holds at least `count` vectors, since their unit cubes overlap its rim.
  const int r = static_cast<int>(std::ceil(std::cbrt(count / 4.18) + 1));
  std::vector<Vector> vectors;
  for (int x = -r; x <= r; ++x)
    for (int y = -r; y <= r; ++y)
      for (int z = -r; z <= r; ++z)
        if (const Vector g{x, y, z}; g.square() <= r * r) vectors.push_back(g);
  std::sort(vectors.begin(), vectors.end(), [](const Vector& a, const Vector& b) {
    return std::tuple(a.square(), a.x, a.y, a.z) < std::tuple(b.square(), b.x, b.y, b.z);
  });
  vectors.resize(static_cast<std::size_t>(count));
  return vectors;
}

inline int largest_of(std::span<const Vector> vectors) {
  int largest = 0;
  for (const Vector& g : vectors) largest = std::max(largest, g.largest());
  return largest;
}

/// Rows of N_G numbers start at whole lines of 128 bytes.
inline int pitch_of(int n_g) { return (n_g + 7) / 8 * 8; }

/// True if the size has no prime factor above 7, so that it transforms fast.
inline bool transforms_well(int size) {
  for (const int prime : {2, 3, 5, 7})
    while (size % prime == 0) size /= prime;
  return size == 1;
}

inline int side_for(std::span<const Vector> vectors, int n_g) {
  int side = 2 * largest_of(vectors) + largest_of(vectors.first(static_cast<std::size_t>(n_g))) + 1;
  while (!transforms_well(side)) ++side;
  return side;
}

}  // namespace gpp::epsilon
