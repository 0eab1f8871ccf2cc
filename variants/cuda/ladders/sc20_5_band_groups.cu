// v5 of SC20 (Yang 2021): the loop over bands moves inside; a kernel sums about 100 bands.
//
// A thread keeps its (ig, igp) and loops over bands, as in v2. With 100 bands per kernel, threads
// that run at the same time read only 100 columns of aqsn.
//
// Made from sc20_4_both.
// Operations: power2, pole at every term; m once.

#include "gpp/forms/power2.h"
#include "variants/cuda/support/sc20_loops.cuh"

namespace gpp::cuda {

Sums sc20_5_band_groups(const Problem& problem) {
  return sum_band_groups<1, make_squared_pole<double>, power2<double>>(problem);
}
GPP_VARIANT(sc20_5_band_groups);

}  // namespace gpp::cuda
