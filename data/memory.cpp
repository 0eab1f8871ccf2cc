#include "data/memory.h"

#include "data/gpp214_records.h"
#include "gpp/sums.h"
#include "roofline/base/saturating.h"

namespace gpp {
namespace {

/// The memory of a PreparedProblem beyond its input's: the gathered columns, twice, and small
/// arrays.
std::int64_t prepared_bytes(const Input& dimensions) {
  const std::int64_t nbands = dimensions.peinf_ntband_dist;
  const std::int64_t ngpown = dimensions.ngpown;
  const std::int64_t gathered = roofline::saturating_product(
      2 * sizeof(Complex), roofline::saturating_product(ngpown, nbands));
  const std::int64_t per_band = (2 * max_frequencies + 1) * sizeof(double) + sizeof(int);
  return roofline::saturating_sum(gathered,
                                  nbands * per_band + ngpown * std::int64_t{sizeof(double)});
}

/// The memory of the copy that variants on a host use: poles, bands and the gathered columns.
std::int64_t placed_bytes(const Input& dimensions) {
  const std::int64_t ncouls = dimensions.ncouls;
  const std::int64_t poles = roofline::saturating_product(
      2 * sizeof(Complex), roofline::saturating_product(ncouls, dimensions.ngpown));
  const std::int64_t bands = roofline::saturating_product(
      sizeof(Complex), roofline::saturating_product(ncouls, dimensions.peinf_ntband_dist));
  return roofline::saturating_sum(roofline::saturating_sum(poles, bands),
                                  prepared_bytes(dimensions));
}

template <class Item>
std::int64_t array_bytes(const Item&) {
  return 0;
}
template <class Vector>
std::int64_t array_bytes(const ArrayItem<Vector>& item) {
  return bytes_of_item(item);
}

}  // namespace

std::int64_t memory_estimate(const Input& dimensions) {
  std::int64_t bytes = roofline::saturating_sum(sizeof(Input), prepared_bytes(dimensions));
  bytes = roofline::saturating_sum(bytes, placed_bytes(dimensions));
  for_each_record(dimensions, [&bytes](const Record&, auto&&... items) {
    ((bytes = roofline::saturating_sum(bytes, array_bytes(items))), ...);
  });
  return bytes;
}

}  // namespace gpp
