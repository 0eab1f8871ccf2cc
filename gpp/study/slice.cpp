#include "gpp/study/slice.h"

#include <algorithm>

namespace gpp {
namespace {

/// The indices of a slice's G' in the input, evenly spread.
std::vector<std::int64_t> kept_own_g(std::int64_t all, int kept) {
  std::vector<std::int64_t> own_g;
  for (std::int64_t i = 0; i < kept; ++i) own_g.push_back(i * all / kept);
  return own_g;
}

/// Selects the given columns of an array with `rows` G.
std::vector<Complex> columns(const std::vector<Complex>& array, std::int64_t rows,
                             const std::vector<std::int64_t>& wanted) {
  std::vector<Complex> piece;
  piece.reserve(static_cast<std::size_t>(rows) * wanted.size());
  for (const std::int64_t column : wanted) {
    const auto first = array.begin() + column * rows;
    piece.insert(piece.end(), first, first + rows);
  }
  return piece;
}

}  // namespace

int own_g_of_slice(const Input& input, std::int64_t terms) {
  const std::int64_t terms_of_one = input.terms() / input.ngpown;
  return static_cast<int>(std::clamp<std::int64_t>(terms / terms_of_one, 1, input.ngpown));
}

Input slice_of(const Input& input, int ngpown) {
  Input slice = input;
  slice.ngpown = slice.epsmpi_ngpown_max = ngpown;
  const std::vector<std::int64_t> own_g = kept_own_g(input.ngpown, ngpown);
  slice.inv_igp_index.clear();
  for (const std::int64_t igp : own_g)
    slice.inv_igp_index.push_back(input.inv_igp_index[static_cast<std::size_t>(igp)]);
  slice.wtilde_array = columns(input.wtilde_array, input.ncouls, own_g);
  slice.I_eps_array = columns(input.I_eps_array, input.ncouls, own_g);
  slice.asxtemp = slice.achtemp = slice.asxtempref = slice.achtempref = {};
  return slice;
}

}  // namespace gpp
