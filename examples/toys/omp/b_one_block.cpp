// B: the additions of A, with one number at a time on each core.
//
// Each addition waits for the previous one, and the core has nothing else to do. B on a GPU leaves
// two warps on a multiprocessor; B here leaves one chain on a core.
//
// Made from a_additions.
// Operations: 10000 fp64 per element; 16 bytes.

#include "examples/toys/numbers.h"

namespace gpp::toys::omp {

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
