// A and B add to each number many times. C adds once to numbers that lie far from each other.

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

// C: one addition to each number, read with a stride of 16 doubles.
//
// Each number is read once and written once, but neighbouring results come from lines that lie 128
// bytes apart. A line is fetched for one of its eight numbers, and is often evicted before the next
// one is needed.
//
// Operations: 1 fp64 per element; 16 bytes.
void c_stride(const Numbers& numbers) {
  const long long rows = numbers.n / stride;
#pragma omp parallel for schedule(static)
  for (long long i = 0; i < numbers.n; ++i)
    numbers.a[i] = numbers.b[i % rows * stride + i / rows] + summand;
}
GPP_VARIANT(c_stride);

// c_near_N: C with a stride of N doubles, where the rest of each line is read soon after.
//
// The array is cut into pieces of 64 N numbers. The first 64 results of a piece come from every Nth
// number of it, the next 64 from the numbers beside those. N = 16 is the code of the tutorial's toy
// C; N = 4 is its text: 32 bytes from number to number.
//
// Made from c_stride.
// Operations: 1 fp64 per element; 16 bytes.
template <int step>
void c_near(const Numbers& numbers) {
  constexpr long long piece = 1LL * rows_of_piece * step;
#pragma omp parallel for schedule(static)
  for (long long first = 0; first < numbers.n; first += piece) {
    const long long length = std::min(piece, numbers.n - first), rows = length / step;
    for (long long j = 0; j < length; ++j)
      numbers.a[first + j] = numbers.b[first + j % rows * step + j / rows] + summand;
  }
}
GPP_VARIANT(c_near<16>);
GPP_VARIANT(c_near<4>);

}  // namespace gpp::toys::omp
