#include "gpp/moments.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "gpp/forms/real_poles.h"

namespace gpp {
namespace {

// The costs of a plan for each pair of G and G', in units of a moment of one band, as measured on
// an H200 (docs/cuda.md). The choice of a plan depends on them, no sum.
constexpr double cost_of_group = 16.0;   // and for each frequency again
constexpr double cost_of_band = 5.2;     // left to v12, at each frequency
constexpr double cost_of_start = 100.0;  // of the first group: packing, another kernel

/// The error that a term may have. The checker judges a sum by 1e-4 of sum |term| at least, and the
/// aim is 1e-12 of that. Pairs of G and G' have errors of either sign: those of N pairs add up to
/// sqrt(N) times one. `safe` overestimates the one by more than ten, which is the reserve.
double tolerated_truncation(const Problem& problem) {
  const double pairs = 1.0 * problem.ncouls * problem.ngpown;
  return 1e-12 * 1e-4 * std::max(1.0, std::sqrt(pairs));
}

/// Bands that follow each other, away from the poles, counted from `first`.
struct Run {
  int first;
  int bands;
};

class Planner {
 public:
  explicit Planner(const FactoredProblem& problem)
      : problem_(problem),
        bands_(problem.empty_bands.data, problem.empty_bands.data + problem.empty_bands.size) {
    std::stable_sort(bands_.begin(), bands_.end(),
                     [&](int a, int b) { return problem.wx_array(0, a) > problem.wx_array(0, b); });
  }

  MomentPlan plan(int rank) const;
  double cost(const MomentPlan& plan) const;

 private:
  double x(int iw, int i) const {
    return problem_.wx_array(iw, bands_[static_cast<std::size_t>(i)]);
  }
  MomentGroup group_of(Run run) const;
  bool safe(const MomentGroup& group, int rank) const;
  /// The longest safe run from `first` on, of whole steps but for the last band; or no band.
  Run longest_run(int first, int rank) const;
  void add(Run run, MomentPlan& plan) const;

  const FactoredProblem& problem_;
  std::vector<int> bands_;  // by falling wx: away from the poles
};

MomentGroup Planner::group_of(Run run) const {
  const int last = run.first + run.bands - 1;
  MomentGroup group{};
  for (int iw = 0; iw < problem_.nfreq; ++iw)
    group.centre[iw] = 0.5 * (x(iw, run.first) + x(iw, last));
  group.half_width = 0.5 * (x(0, run.first) - x(0, last));
  group.bands = (run.bands + moment_step - 1) / moment_step * moment_step;
  return group;
}

/// Every bin's poles are taken to lie at its lower edge, where the series is worst.
bool Planner::safe(const MomentGroup& group, int rank) const {
  const PoleDistribution& poles = problem_.poles;
  const auto lowest = make_real_pole(Complex{poles.lowest, 0.0}, problem_.limits);
  double terms = 0, errors = 0;
  for (int iw = 0; iw < problem_.nfreq; ++iw) {
    if (!is_clear_of(lowest, group.centre[iw] + group.half_width)) return false;
    for (int bin = 0; bin < PoleDistribution::bins; ++bin) {
      if (poles.weight[bin] == 0.0) continue;
      const double a = PoleDistribution::lower_edge(bin);
      const double term =
          poles.weight[bin] * std::max(a, PoleDistribution::lower_edge(1)) / (a - group.centre[iw]);
      terms += term;
      errors += term * truncation(group.half_width / (a - group.centre[iw]), rank);
    }
  }
  return std::isfinite(terms) && errors <= tolerated_truncation(problem_) * terms;
}

Run Planner::longest_run(int first, int rank) const {
  const int left = static_cast<int>(bands_.size()) - first;
  Run longest{first, 0};
  for (int bands = 0; bands < left && bands == longest.bands;) {
    bands = std::min(bands + moment_step, left);
    if (safe(group_of({first, bands}), rank)) longest.bands = bands;
  }
  return longest;
}

void Planner::add(Run run, MomentPlan& plan) const {
  const MomentGroup group = group_of(run);
  plan.groups.push_back(group);
  const std::size_t before = plan.bands.size();
  for (int i = run.first; i < run.first + run.bands; ++i)
    plan.bands.push_back({bands_[static_cast<std::size_t>(i)], x(0, i) - group.centre[0]});
  plan.bands.resize(before + static_cast<std::size_t>(group.bands));
}

MomentPlan Planner::plan(int rank) const {
  MomentPlan plan;
  plan.rank = rank;
  for (int first = 0; first < static_cast<int>(bands_.size());) {
    const Run run = longest_run(first, rank);
    if (run.bands > 0)
      add(run, plan);
    else
      plan.other_bands.push_back(bands_[static_cast<std::size_t>(first)]);
    first += std::max(run.bands, 1);
  }
  std::sort(plan.other_bands.begin(), plan.other_bands.end());
  return plan;
}

double Planner::cost(const MomentPlan& plan) const {
  return plan.rank * static_cast<double>(plan.bands.size()) +
         cost_of_group * (1 + problem_.nfreq) * static_cast<double>(plan.groups.size()) +
         cost_of_band * problem_.nfreq * static_cast<double>(plan.other_bands.size());
}

}  // namespace

double truncation(double u, int rank) {
  return std::pow(u, rank) * (std::ldexp(1.0, 1 - rank) + u / (1.0 - u));
}

MomentPlan plan_moments(const FactoredProblem& problem) {
  MomentPlan best;
  const Array1<const int>& empty = problem.empty_bands;
  best.other_bands.assign(empty.data, empty.data + empty.size);
  if (!problem.real_poles || problem.poles.lowest < 0.0) return best;
  const Planner planner(problem);
  double least = planner.cost(best) - cost_of_start;
  for (int rank = lowest_moment_rank; rank <= highest_moment_rank; ++rank) {
    MomentPlan plan = planner.plan(rank);
    if (plan.groups.empty() || planner.cost(plan) >= least) continue;
    least = planner.cost(plan);
    best = std::move(plan);
  }
  return best;
}

}  // namespace gpp
