#include "harness/study/decoy.h"

#include <algorithm>

namespace gpp {
namespace {

// No multiples of the widths anything is likely to be blocked by.
constexpr std::int32_t most_g = 37;
constexpr std::int32_t most_own_g = 5;
constexpr std::int32_t most_bands = 11;

/// Bands spread over all the input's, so that occupied and empty ones are among them.
std::size_t source_band(const Input& input, std::size_t band, std::size_t count) {
  return band * static_cast<std::size_t>(input.peinf_ntband_dist) / count;
}

std::vector<Complex> corner(const std::vector<Complex>& array, std::int32_t rows,
                            std::int32_t kept_rows, std::int32_t kept_columns) {
  std::vector<Complex> kept;
  for (std::ptrdiff_t column = 0; column < kept_columns; ++column) {
    const auto first = array.begin() + column * rows;
    kept.insert(kept.end(), first, first + kept_rows);
  }
  return kept;
}

/// The first G of the bands kept, each turned and scaled by its own complex number.
std::vector<Complex> altered_bands(const Input& input, const std::vector<Complex>& array,
                                   const Input& decoy, Complex step) {
  const auto count = static_cast<std::size_t>(decoy.peinf_ntband_dist);
  std::vector<Complex> kept;
  for (std::size_t band = 0; band < count; ++band) {
    const Complex factor = Complex{1.25, 0.5} + static_cast<double>(band) * step;
    const std::size_t first =
        source_band(input, band, count) * static_cast<std::size_t>(input.ncouls);
    for (std::size_t ig = 0; ig < static_cast<std::size_t>(decoy.ncouls); ++ig)
      kept.push_back(factor * array[first + ig]);
  }
  return kept;
}

}  // namespace

Input decoy_of(const Input& input) {
  Input decoy;
  decoy.sig_ntband = input.sig_ntband;
  decoy.gvec_ng = input.gvec_ng;
  decoy.ncoul = input.ncoul;
  decoy.ncouls = std::min(input.ncouls, most_g);
  decoy.ngpown = decoy.epsmpi_ngpown_max = std::min(input.ngpown, most_own_g);
  decoy.peinf_ntband_max = decoy.peinf_ntband_dist = std::min(input.peinf_ntband_dist, most_bands);
  decoy.ipe = input.ipe;
  decoy.ispin = input.ispin;
  decoy.wfnkq_ekq = input.wfnkq_ekq;
  decoy.nstart = input.nstart;
  decoy.nend = input.nend;
  decoy.sig_fdf = input.sig_fdf;
  decoy.sig_dw = input.sig_dw;
  decoy.sig_gamma = input.sig_gamma;
  decoy.e_lk = input.e_lk + 0.125;
  decoy.nvband = input.nvband;
  decoy.tol = input.tol;
  decoy.efermi = input.efermi;
  decoy.sexcut = input.sexcut;
  decoy.vcoul = input.vcoul;
  decoy.indinv = input.indinv;
  decoy.inv_igp_index.assign(input.inv_igp_index.begin(),
                             input.inv_igp_index.begin() + decoy.ngpown);
  const auto bands = static_cast<std::size_t>(decoy.peinf_ntband_dist);
  for (std::size_t band = 0; band < bands; ++band)
    decoy.peinf_indext_dist.push_back(input.peinf_indext_dist[source_band(input, band, bands)]);
  decoy.wtilde_array = corner(input.wtilde_array, input.ncouls, decoy.ncouls, decoy.ngpown);
  decoy.I_eps_array = corner(input.I_eps_array, input.ncouls, decoy.ncouls, decoy.ngpown);
  decoy.aqsmtemp = altered_bands(input, input.aqsmtemp, decoy, {0.0625, -0.03125});
  decoy.aqsntemp = altered_bands(input, input.aqsntemp, decoy, {-0.03125, 0.0625});
  return decoy;
}

}  // namespace gpp
