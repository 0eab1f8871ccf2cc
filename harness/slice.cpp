#include "harness/slice.h"

#include <algorithm>

namespace gpp {
namespace {

/// The columns of the G' that are kept.
std::vector<Complex> columns(const std::vector<Complex>& array, std::int64_t rows, int all,
                             int kept) {
  std::vector<Complex> piece;
  piece.reserve(static_cast<std::size_t>(rows * kept));
  for (std::int64_t i = 0; i < kept; ++i) {
    const auto first = array.begin() + i * all / kept * rows;
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
  slice.inv_igp_index.clear();
  for (std::int64_t i = 0; i < ngpown; ++i)
    slice.inv_igp_index.push_back(
        input.inv_igp_index[static_cast<std::size_t>(i * input.ngpown / ngpown)]);
  slice.wtilde_array = columns(input.wtilde_array, input.ncouls, input.ngpown, ngpown);
  slice.I_eps_array = columns(input.I_eps_array, input.ncouls, input.ngpown, ngpown);
  slice.asxtemp = slice.achtemp = slice.asxtempref = slice.achtempref = {};
  return slice;
}

}  // namespace gpp
