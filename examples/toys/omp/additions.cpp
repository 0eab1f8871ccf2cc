// Many additions to each number.

#include <algorithm>

#include "examples/toys/numbers.h"

namespace gpp::toys::omp {

// A: 10000 additions to each number, 64 numbers side by side on each core.
//
// A number is read and written once, so there are 625 operations per byte. The 64 numbers fill the
// vector registers: while one vector waits for its last addition, others add.
//
// Operations: 10000 fp64 per element; 16 bytes.
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

// B: the additions of A, with one number at a time on each core.
//
// Each addition waits for the previous one, and the core has nothing else to do. B on a GPU leaves
// two warps on a multiprocessor; B here leaves one chain on a core.
//
// Made from a_additions.
// Operations: 10000 fp64 per element; 16 bytes.
void b_one_block(const Numbers& numbers) {
#pragma omp parallel for schedule(static)
  for (long long i = 0; i < numbers.n; ++i) {
    double x = numbers.b[i];
    for (int k = 0; k < additions; ++k) x += summand;
    numbers.a[i] = x;
  }
}
GPP_VARIANT(b_one_block);

}  // namespace gpp::toys::omp
