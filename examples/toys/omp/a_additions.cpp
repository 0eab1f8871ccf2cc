// A: 10000 additions to each number, 64 numbers side by side on each core.
//
// A number is read and written once, so there are 625 operations per byte. The 64 numbers fill the
// vector registers: while one vector waits for its last addition, others add.
//
// Operations: 10000 fp64 per element; 16 bytes.

#include <algorithm>

#include "examples/toys/numbers.h"

namespace gpp::toys::omp {

void a_additions(const Numbers& numbers) {
  constexpr int side_by_side = 64;
#pragma omp parallel for schedule(static)
  for (long long first = 0; first < numbers.n; first += side_by_side) {
    const long long count = std::min<long long>(side_by_side, numbers.n - first);
    double x[side_by_side] = {};
    std::copy_n(numbers.b + first, count, x);
    for (int k = 0; k < additions; ++k)
      for (double& one : x) one += summand;
    std::copy_n(x, count, numbers.a + first);
  }
}
GPP_VARIANT(a_additions);

}  // namespace gpp::toys::omp
