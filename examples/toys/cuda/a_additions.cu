// A: 10000 additions to each number, one thread per number.
//
// A number is read and written once, so there are 625 operations per byte. 32 blocks fit on a
// multiprocessor: while one warp waits for its last addition, others add.
//
// Operations: 10000 fp64 per element; 16 bytes.

#include "examples/toys/cuda/additions.cuh"

namespace gpp::toys::cuda {

void a_additions(const Numbers& numbers) { add_often(numbers, 0); }
GPP_VARIANT(a_additions);

}  // namespace gpp::toys::cuda
