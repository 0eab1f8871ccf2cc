#include "gpp/prepare.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <utility>

#include "gpp/forms/factored.h"

namespace gpp {
namespace {

template <class T>
Array1<const T> view_of(const std::vector<T>& values) {
  return {values.data(), static_cast<int>(values.size())};
}

/// The G vector an own G' stands for, counted from 0; -1 where the map leads outside 1..ncouls.
int global_vector(const Input& input, int igp) {
  const int own = input.inv_igp_index[static_cast<std::size_t>(igp)];
  if (own < 1 || own > input.gvec_ng) return -1;
  const int g = input.indinv[static_cast<std::size_t>(own - 1)];
  return g >= 1 && g <= input.ncouls ? g - 1 : -1;
}

double energy_of(const Input& input, int n1) {
  const int band = input.peinf_indext_dist[static_cast<std::size_t>(n1)];
  return input.wfnkq_ekq[static_cast<std::size_t>(band - 1)];
}

double occupation_of(const Input& input, int n1) {
  if (input.peinf_indext_dist[static_cast<std::size_t>(n1)] > input.nvband) return 0.0;
  return std::abs(energy_of(input, n1) - input.efermi) < input.tol ? 0.5 : 1.0;
}

double wx_of(const Input& input, int iw, int n1) {
  const double wx = input.e_lk + input.sig_dw * (input.nstart + iw - 2) - energy_of(input, n1);
  return std::abs(wx) < TOL_Zero ? TOL_Zero : wx;
}

/// Whether some pole equals a wx of an occupied band bit for bit. Most poles lie above all of them.
bool has_exact_resonance(const FactoredProblem& problem) {
  std::vector<double> wx;
  for (int i = 0; i < problem.occupied_bands.size; ++i)
    for (int iw = 0; iw < problem.nfreq; ++iw)
      wx.push_back(problem.wx_array(iw, problem.occupied_bands(i)));
  if (wx.empty()) return false;
  std::sort(wx.begin(), wx.end());
  const Complex* const poles = problem.wtilde_array.data;
  return std::any_of(poles, poles + problem.wtilde_array.count(), [&wx](Complex w) {
    return w.im == 0.0 && w.re <= wx.back() && std::binary_search(wx.begin(), wx.end(), w.re);
  });
}

}  // namespace

PreparedProblem::PreparedProblem(Input&& input)
    : PreparedProblem(std::make_shared<const Input>(std::move(input))) {}

PreparedProblem::PreparedProblem(std::shared_ptr<const Input> input) : input_(std::move(input)) {
  view_.nbands = input_->peinf_ntband_dist;
  view_.ngpown = input_->ngpown;
  view_.ncouls = input_->ncouls;
  view_.nfreq = input_->nfreq();
  view_.limits = make_limits(input_->sig_gamma, input_->sexcut);
  view_.wtilde_array = {input_->wtilde_array.data(), view_.ncouls, view_.ngpown};
  view_.I_eps_array = {input_->I_eps_array.data(), view_.ncouls, view_.ngpown};
  view_.aqsntemp = {input_->aqsntemp.data(), view_.ncouls, view_.nbands};
  gather_bands();
  gather_own_vectors();
  const auto start = std::chrono::steady_clock::now();
  prepare_factored();
  const auto stop = std::chrono::steady_clock::now();
  factored_seconds_ = std::chrono::duration<double>(stop - start).count();
}

void PreparedProblem::prepare_factored() {
  view_.real_poles = std::all_of(input_->wtilde_array.begin(), input_->wtilde_array.end(),
                                 [](Complex w) { return w.im == 0.0; });
  view_.tiny_poles = std::any_of(input_->wtilde_array.begin(), input_->wtilde_array.end(),
                                 [&](Complex w) { return is_tiny(w, view_.limits); });
  sort_bands();
  view_.resonant_poles = has_exact_resonance(view_);
}

void PreparedProblem::gather_bands() {
  const int nbands = view_.nbands;
  const int nfreq = view_.nfreq;
  for (int n1 = 0; n1 < nbands; ++n1) {
    occ_array_.push_back(occupation_of(*input_, n1));
    for (int iw = 0; iw < nfreq; ++iw) wx_array_.push_back(wx_of(*input_, iw, n1));
  }
  for (int iw = 0; iw < nfreq; ++iw)
    for (int n1 = 0; n1 < nbands; ++n1) wx_array_t_.push_back(wx_of(*input_, iw, n1));
  view_.occ_array = view_of(occ_array_);
  view_.wx_array = {wx_array_.data(), nfreq, nbands};
  view_.wx_array_t = {wx_array_t_.data(), nbands, nfreq};
}

void PreparedProblem::gather_own_vectors() {
  const auto rows = static_cast<std::size_t>(view_.ngpown);
  const auto bands = static_cast<std::size_t>(view_.nbands);
  aqsmtemp_local_.assign(rows * bands, Complex{});
  aqsmtemp_local_t_.assign(rows * bands, Complex{});
  vcoul_loc_.assign(rows, 0.0);
  for (std::size_t igp = 0; igp < rows; ++igp) {
    const int g = global_vector(*input_, static_cast<int>(igp));
    if (g < 0) continue;
    vcoul_loc_[igp] = input_->vcoul[static_cast<std::size_t>(g)];
    for (std::size_t n1 = 0; n1 < bands; ++n1) {
      const auto from = static_cast<std::size_t>(g) + static_cast<std::size_t>(view_.ncouls) * n1;
      aqsmtemp_local_[igp + rows * n1] = input_->aqsmtemp[from];
      aqsmtemp_local_t_[n1 + bands * igp] = input_->aqsmtemp[from];
    }
  }
  view_.vcoul_loc = view_of(vcoul_loc_);
  view_.aqsmtemp_local = {aqsmtemp_local_.data(), view_.ngpown, view_.nbands};
  view_.aqsmtemp_local_t = {aqsmtemp_local_t_.data(), view_.nbands, view_.ngpown};
}

void PreparedProblem::sort_bands() {
  for (int n1 = 0; n1 < view_.nbands; ++n1) {
    bool positive = true;
    for (int iw = 0; iw < view_.nfreq; ++iw) positive = positive && view_.wx_array(iw, n1) >= 0.0;
    const double occ = view_.occ_array(n1);
    auto& list = occ == 0.0               ? empty_bands_
                 : occ == 1.0 && positive ? occupied_bands_
                                          : exceptional_bands_;
    list.push_back(n1);
  }
  view_.highest_empty_wx = -std::numeric_limits<double>::infinity();
  for (const int n1 : empty_bands_)
    for (int iw = 0; iw < view_.nfreq; ++iw)
      view_.highest_empty_wx = std::max(view_.highest_empty_wx, view_.wx_array(iw, n1));
  view_.empty_bands = view_of(empty_bands_);
  view_.occupied_bands = view_of(occupied_bands_);
  view_.exceptional_bands = view_of(exceptional_bands_);
}

}  // namespace gpp
