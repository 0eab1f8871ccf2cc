#include "data/memory.h"

#include "data/gpp214_records.h"
#include "gpp/sums.h"
#include "roofline/base/saturating.h"

namespace gpp {

std::int64_t memory_estimate(const Input& dimensions) {
  constexpr std::int64_t complex = sizeof(Complex), real = sizeof(double);
  const std::int64_t nbands = dimensions.peinf_ntband_dist, ngpown = dimensions.ngpown;
  const std::int64_t ncouls = dimensions.ncouls;
  std::int64_t bytes = sizeof(Input);
  const auto add = [&bytes](std::int64_t rows, std::int64_t columns, std::int64_t each) {
    bytes = roofline::saturating_sum(
        bytes, roofline::saturating_product(each, roofline::saturating_product(rows, columns)));
  };
  // A PreparedProblem and its copy for variants each have the gathered columns twice, energies and
  // occupations of bands, and weights. The copy has poles and bands of its own, too.
  add(ngpown, nbands, 2 * 2 * complex);
  add(nbands, 1, 2 * ((2 * max_frequencies + 1) * real + std::int64_t{sizeof(int)}));
  add(ngpown, 1, 2 * real);
  add(ncouls, ngpown, 2 * complex);
  add(ncouls, nbands, complex);
  for_each_record(dimensions, [&bytes](const Record&, auto&&... items) {
    bytes = roofline::saturating_sum(bytes, bytes_of_record(items...));
  });
  return bytes;
}

}  // namespace gpp
