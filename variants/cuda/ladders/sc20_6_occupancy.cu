// v6 of SC20 (Yang 2021): more warps at the same time, by a limit on registers.
//
// The kernel requests six blocks of 128 threads per multiprocessor, so a thread has 80 registers.
// SC20 used the compiler's maxregcount but does not report its value.
//
// Made from sc20_5_band_groups.
// Operations: power2, pole at every term; m once.

#include "gpp/forms/power2.h"
#include "variants/cuda/support/sc20_loops.cuh"

namespace gpp::cuda {

Sums sc20_6_occupancy(const Problem& problem) {
  return sum_band_groups<6, make_squared_pole<double>, power2<double>>(problem);
}
GPP_VARIANT(sc20_6_occupancy);

}  // namespace gpp::cuda
