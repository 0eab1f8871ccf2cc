#include "data/cell.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>
#include <tuple>

namespace gpp {
namespace {

constexpr double pi = 3.14159265358979323846;

// G in units of 2 pi / lattice, and 4 |q+G|^2 in units of its square. The latter is an integer, so
// sorting is exact.
struct Vector {
  int x, y, z;
  int length2;
};

// All q+G with 4 |q+G|^2 <= (2 radius)^2.
std::vector<Vector> sphere(int radius) {
  std::vector<Vector> vectors;
  for (int x = -radius; x <= radius; ++x)
    for (int y = -radius; y <= radius; ++y)
      for (int z = -radius; z <= radius; ++z) {
        const int length2 = 4 * (x * x + y * y) + (2 * z + 1) * (2 * z + 1);
        if (length2 <= 4 * radius * radius) vectors.push_back({x, y, z, length2});
      }
  return vectors;
}

std::vector<Vector> shortest(int count) {
  int radius = 1;
  std::vector<Vector> vectors = sphere(radius);
  while (vectors.size() < static_cast<std::size_t>(count)) vectors = sphere(++radius);
  std::sort(vectors.begin(), vectors.end(), [](const Vector& a, const Vector& b) {
    return std::tie(a.length2, a.z, a.y, a.x) < std::tie(b.length2, b.z, b.y, b.x);
  });
  vectors.resize(static_cast<std::size_t>(count));
  return vectors;
}

}  // namespace

Cell make_cell(double lattice, int vectors, int listed) {
  const std::vector<Vector> sorted = shortest(vectors);
  const double unit = (pi / lattice) * (pi / lattice);  // (2 pi / lattice)^2 / 4
  Cell cell;
  for (const Vector& v : sorted) cell.length2.push_back(unit * v.length2);

  std::vector<std::int32_t> order(static_cast<std::size_t>(listed));
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](std::int32_t i, std::int32_t j) {
    const Vector& a = sorted[static_cast<std::size_t>(i)];
    const Vector& b = sorted[static_cast<std::size_t>(j)];
    return std::tie(a.length2, a.x, a.y, a.z) < std::tie(b.length2, b.x, b.y, b.z);
  });
  for (const std::int32_t place : order) cell.indinv.push_back(place + 1);
  return cell;
}

}  // namespace gpp
