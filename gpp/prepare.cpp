#include "gpp/prepare.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <utility>

#include "gpp/forms/factored.h"
#include "roofline/base/machine.h"
#include "roofline/base/parallel.h"
#include "runtimes/memory.h"

namespace gpp {
namespace {

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

PoleDistribution distribution_of_poles(const Problem& problem) {
  PoleDistribution poles;
  poles.lowest = std::numeric_limits<double>::infinity();
  std::vector<PoleDistribution> columns(static_cast<std::size_t>(problem.ngpown), poles);
  roofline::parallel_for(problem.ngpown, [&](int igp) {
    const bool heavy = igp < heavy_igp;
    for (int ig = 0; ig < problem.ncouls; ++ig)
      columns[static_cast<std::size_t>(igp)].add(
          problem.wtilde_array(ig, igp).re,
          problem.vcoul_loc(igp) * std::sqrt(norm(problem.I_eps_array(ig, igp))), heavy);
  });
  for (const PoleDistribution& column : columns) poles.add(column);
  return poles;
}

/// Sets the facts about all poles of a problem in host memory.
void look_at_poles(FactoredProblem& problem) {
  const Complex* const poles = problem.wtilde_array.data;
  const Complex* const end = poles + problem.wtilde_array.count();
  problem.real_poles = std::all_of(poles, end, [](Complex w) { return w.im == 0.0; });
  problem.tiny_poles =
      std::any_of(poles, end, [&](Complex w) { return is_tiny(w, problem.limits); });
  problem.resonant_poles = has_exact_resonance(problem);
  problem.poles = distribution_of_poles(problem);
}

}  // namespace

PreparedBands::PreparedBands(const Input& input)
    : nbands_(input.peinf_ntband_dist), nfreq_(input.nfreq()) {
  for (int n1 = 0; n1 < nbands_; ++n1) {
    occ_array_.push_back(occupation_of(input, n1));
    for (int iw = 0; iw < nfreq_; ++iw) wx_array_.push_back(wx_of(input, iw, n1));
  }
  for (int iw = 0; iw < nfreq_; ++iw)
    for (int n1 = 0; n1 < nbands_; ++n1) wx_array_t_.push_back(wx_of(input, iw, n1));
  sort_into_classes();
}

void PreparedBands::sort_into_classes() {
  highest_empty_wx_ = -std::numeric_limits<double>::infinity();
  const Array2<const double> wx{wx_array_.data(), nfreq_, nbands_};
  for (int n1 = 0; n1 < nbands_; ++n1) {
    bool positive = true;
    double highest = -std::numeric_limits<double>::infinity();
    for (int iw = 0; iw < nfreq_; ++iw) {
      positive = positive && wx(iw, n1) >= 0.0;
      highest = std::max(highest, wx(iw, n1));
    }
    const double occ = occ_array_[static_cast<std::size_t>(n1)];
    auto& list = occ == 0.0               ? empty_bands_
                 : occ == 1.0 && positive ? occupied_bands_
                                          : exceptional_bands_;
    list.push_back(n1);
    if (occ == 0.0) highest_empty_wx_ = std::max(highest_empty_wx_, highest);
  }
}

void PreparedBands::show_in(FactoredProblem& problem) const {
  problem.nbands = nbands_;
  problem.nfreq = nfreq_;
  problem.occ_array = view_of(occ_array_);
  problem.wx_array = {wx_array_.data(), nfreq_, nbands_};
  problem.wx_array_t = {wx_array_t_.data(), nbands_, nfreq_};
  problem.empty_bands = view_of(empty_bands_);
  problem.occupied_bands = view_of(occupied_bands_);
  problem.exceptional_bands = view_of(exceptional_bands_);
  problem.highest_empty_wx = highest_empty_wx_;
}

void PreparedBands::plan_groups_in(FactoredProblem& problem) {
  show_in(problem);
  moments_ = plan_moments(problem);
  problem.moment_rank = moments_.rank;
  problem.moment_groups = view_of(moments_.groups);
  problem.moment_bands = view_of(moments_.bands);
  problem.other_empty_bands = view_of(moments_.other_bands);
  integers_ = plan_integers(problem);
  problem.integer_groups = view_of(integers_.groups);
  problem.integer_bands = view_of(integers_.bands);
  problem.other_integer_bands = view_of(integers_.other_bands);
}

bool has_exact_resonance(const FactoredProblem& problem) {
  std::vector<double> wx;
  for (int i = 0; i < problem.occupied_bands.size; ++i)
    for (int iw = 0; iw < problem.nfreq; ++iw)
      wx.push_back(problem.wx_array(iw, problem.occupied_bands(i)));
  if (wx.empty()) return false;
  std::sort(wx.begin(), wx.end());  // most poles lie above all energies wx
  std::atomic<bool> found{false};
  roofline::parallel_for(problem.ngpown, [&](int igp) {
    const Complex* const poles = &problem.wtilde_array(0, igp);
    const bool resonates = std::any_of(poles, poles + problem.ncouls, [&wx](Complex w) {
      return w.im == 0.0 && w.re <= wx.back() && std::binary_search(wx.begin(), wx.end(), w.re);
    });
    if (resonates) found = true;
  });
  return found;
}

std::vector<int> own_vectors(const Input& input) {
  std::vector<int> vectors;
  for (int igp = 0; igp < input.ngpown; ++igp) {
    const int own = input.inv_igp_index[static_cast<std::size_t>(igp)];
    const bool is_in_map = 1 <= own && own <= input.gvec_ng;
    const int g = is_in_map ? input.indinv[static_cast<std::size_t>(own - 1)] : 0;
    vectors.push_back(g >= 1 && g <= input.ncouls ? g - 1 : -1);
  }
  return vectors;
}

PreparedProblem::PreparedProblem(Input&& input)
    : PreparedProblem(std::make_shared<const Input>(std::move(input))) {}

PreparedProblem::PreparedProblem(std::shared_ptr<const Input> input)
    : input_(std::move(input)), bands_(*input_) {
  view_.ngpown = input_->ngpown;
  view_.ncouls = input_->ncouls;
  view_.limits = make_limits(input_->sig_gamma, input_->sexcut);
  view_.wtilde_array = {input_->wtilde_array.data(), view_.ncouls, view_.ngpown};
  view_.I_eps_array = {input_->I_eps_array.data(), view_.ncouls, view_.ngpown};
  const std::vector<int> vectors = own_vectors(*input_);
  for (const int g : vectors)
    vcoul_loc_.push_back(g < 0 ? 0.0 : input_->vcoul[static_cast<std::size_t>(g)]);
  view_.vcoul_loc = view_of(vcoul_loc_);
  const double start = roofline::steady_seconds();
  bands_.show_in(view_);
  look_at_poles(view_);
  bands_.plan_groups_in(view_);
  factored_seconds_ = roofline::steady_seconds() - start;
  view_.aqsntemp = {input_->aqsntemp.data(), view_.ncouls, view_.nbands};
  gather(vectors);
}

void PreparedProblem::gather(const std::vector<int>& vectors) {
  aqsmtemp_local_.resize(vectors.size() * static_cast<std::size_t>(view_.nbands));
  aqsmtemp_local_t_.resize(aqsmtemp_local_.size());
  host_memory().gather({
      .from = reinterpret_cast<const double*>(input_->aqsmtemp.data()),
      .height = view_.ncouls,
      .columns = view_.nbands,
      .rows = vectors.data(),
      .count = view_.ngpown,
      .to = reinterpret_cast<double*>(aqsmtemp_local_.data()),
      .to_transposed = reinterpret_cast<double*>(aqsmtemp_local_t_.data()),
  });
  view_.aqsmtemp_local = {aqsmtemp_local_.data(), view_.ngpown, view_.nbands};
  view_.aqsmtemp_local_t = {aqsmtemp_local_t_.data(), view_.nbands, view_.ngpown};
}

}  // namespace gpp
