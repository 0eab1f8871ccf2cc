// v5 packed: numbers of 16 bits, so a vector holds twice as many pairs.
//
// Pairs whose scores may not fit use 32-bit numbers.

#include <cstdint>

#include "examples/smith_waterman/omp/lanes.h"

namespace gpp::smith_waterman::omp {

void packed(const Pairs& pairs) {
  if (fit_16_bits(pairs))
    align_all<std::int16_t, 4>(pairs);
  else
    align_all<int, 4>(pairs);
}
GPP_VARIANT(packed);

}  // namespace gpp::smith_waterman::omp
