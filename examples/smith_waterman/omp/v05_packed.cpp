// v5 packed: numbers of 16 bits, so a vector holds twice as many pairs.
//
// Pairs whose scores may not fit use 32-bit numbers.

#include <cstdint>

#include "examples/smith_waterman/omp/strips.h"

namespace gpp::smith_waterman::omp {

void packed(const Pairs& pairs) {
  if (fit_16_bits(pairs))
    for_groups<std::int16_t>(pairs, align_in_strips<std::int16_t>);
  else
    for_groups<int>(pairs, align_in_strips<int>);
}
GPP_VARIANT(packed);

}  // namespace gpp::smith_waterman::omp
