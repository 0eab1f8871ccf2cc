// v6 of SC20 (Yang 2021): more warps at once, by a cap on registers.
//
// Six blocks of 128 threads are asked for on a multiprocessor, which leaves a thread 80
// registers. SC20 used the compiler's maxregcount and does not tell its number.
//
// Made from sc20_5_band_groups.
// Operations: power2, pole at every term; m once.

#include "gpp/forms/power2.h"
#include "variants/cuda/support/sc20_loops.cuh"

namespace gpp::cuda {

Sums sc20_6_occupancy(const Problem& problem) {
  return sum_band_groups<6, make_squared_pole<double>, power2<double>>(problem);
}

}  // namespace gpp::cuda
