#include "gpp/moments.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "gpp/forms/real_poles.h"

namespace gpp {
namespace {

// The costs in a plan per pair of G and G', in units of one band's moment, as measured on an H200
// (docs/cuda.md). They influence only the choice of a plan, never a sum.
constexpr double cost_of_group = 16.0;   // further cost per frequency
constexpr double cost_of_band = 5.2;     // band summed by v12, per frequency
constexpr double cost_of_start = 100.0;  // cost of starting: packing, kernel

/// The allowed error of one term. The checker's scale is at least 1e-4 of sum |term|, and the aim
/// is 1e-12 of it. Errors of pairs of G and G' have either sign, so those of N pairs add up to
/// sqrt(N) times one. `safe` overestimates the error more than tenfold, which is the reserve.
double tolerated_truncation(const Problem& problem) {
  const double pairs = 1.0 * problem.ncouls * problem.ngpown;
  return 1e-12 * 1e-4 * std::max(1.0, std::sqrt(pairs));
}

/// The poles of each bin are assumed to lie at its lower edge, where the series is worst.
bool is_safe(const FactoredProblem& problem, const MomentGroup& group, int rank) {
  if (!is_clear(problem, group)) return false;
  const PoleDistribution& poles = problem.poles;
  double terms = 0, errors = 0;
  for (int iw = 0; iw < problem.nfreq; ++iw) {
    for (int bin = 0; bin < PoleDistribution::bins; ++bin) {
      if (poles.weight[bin] == 0.0) continue;
      const double distance = PoleDistribution::lower_edge(bin) - group.centre[iw];
      const double term = poles.weight[bin] * PoleDistribution::energy(bin) / distance;
      terms += term;
      errors += term * truncation(group.half_width / distance, rank);
    }
  }
  return std::isfinite(terms) && errors <= tolerated_truncation(problem) * terms;
}

/// Divides the bands into the longest safe groups, from the poles away.
std::vector<Run> safe_runs(const FactoredProblem& problem, const EmptyBands& bands, int rank) {
  std::vector<Run> runs;
  for (int first = 0; first < bands.size();) {
    Run run{first, 0};
    while (run.bands < bands.size() - first) {  // one step more, or up to the last band
      const Run more{first, std::min(run.bands + moment_step, bands.size() - first)};
      if (!is_safe(problem, bands.group_of(more), rank)) break;
      run = more;
    }
    if (run.bands > 0) runs.push_back(run);
    first += std::max(run.bands, 1);
  }
  return runs;
}

double cost(int rank, std::size_t bands, std::size_t groups, std::size_t others, int nfreq) {
  return (groups > 0 ? cost_of_start : 0.0) + rank * static_cast<double>(bands) +
         cost_of_group * (1 + nfreq) * static_cast<double>(groups) +
         cost_of_band * nfreq * static_cast<double>(others);
}

double cost(const MomentPlan& plan, int nfreq) {
  return cost(plan.rank, plan.bands.size(), plan.groups.size(), plan.other_bands.size(), nfreq);
}

}  // namespace

EmptyBands::EmptyBands(const FactoredProblem& problem)
    : problem_(problem),
      bands_(problem.empty_bands.data, problem.empty_bands.data + problem.empty_bands.size) {
  std::stable_sort(bands_.begin(), bands_.end(),
                   [&](int a, int b) { return problem.wx_array(0, a) > problem.wx_array(0, b); });
}

double EmptyBands::x(int iw, int i) const {
  return problem_.wx_array(iw, bands_[static_cast<std::size_t>(i)]);
}

MomentGroup EmptyBands::group_of(Run run) const {
  const int last = run.first + run.bands - 1;
  MomentGroup group{};
  for (int iw = 0; iw < problem_.nfreq; ++iw)
    group.centre[iw] = 0.5 * (x(iw, run.first) + x(iw, last));
  group.half_width = 0.5 * (x(0, run.first) - x(0, last));
  group.bands = (run.bands + moment_step - 1) / moment_step * moment_step;
  return group;
}

BandGroups EmptyBands::make(const std::vector<Run>& runs) const {
  BandGroups made;
  int next = 0;  // next band without a group
  const auto leave_until = [&](int end) {
    for (; next < end; ++next) made.other_bands.push_back(bands_[static_cast<std::size_t>(next)]);
  };
  for (const Run run : runs) {
    leave_until(run.first);
    const MomentGroup group = group_of(run);
    made.groups.push_back(group);
    const std::size_t before = made.bands.size();
    for (; next < run.first + run.bands; ++next)
      made.bands.push_back({bands_[static_cast<std::size_t>(next)], x(0, next) - group.centre[0]});
    made.bands.resize(before + static_cast<std::size_t>(group.bands));
  }
  leave_until(size());
  std::sort(made.other_bands.begin(), made.other_bands.end());
  return made;
}

bool is_clear(const FactoredProblem& problem, const MomentGroup& group) {
  const auto lowest = make_real_pole(Complex{problem.poles.lowest, 0.0}, problem.limits);
  for (int iw = 0; iw < problem.nfreq; ++iw)
    if (!is_clear_of(lowest, group.centre[iw] + group.half_width)) return false;
  return true;
}

double truncation(double u, int rank) {
  return std::pow(u, rank) * (std::ldexp(1.0, 1 - rank) + u / (1.0 - u));
}

double cost_of_moments(const FactoredProblem& problem) {
  return cost(problem.moment_rank, problem.moment_bands.count(), problem.moment_groups.count(),
              problem.other_empty_bands.count(), problem.nfreq);
}

MomentPlan plan_moments(const FactoredProblem& problem) {
  MomentPlan best;
  const Array1<const int>& empty = problem.empty_bands;
  best.other_bands.assign(empty.data, empty.data + empty.size);
  if (!problem.real_poles || problem.poles.lowest < 0.0) return best;
  const EmptyBands bands(problem);
  double least = cost(best, problem.nfreq);
  for (int rank = lowest_moment_rank; rank <= highest_moment_rank; ++rank) {
    MomentPlan plan{bands.make(safe_runs(problem, bands, rank)), rank};
    if (plan.groups.empty() || cost(plan, problem.nfreq) >= least) continue;
    least = cost(plan, problem.nfreq);
    best = std::move(plan);
  }
  return best;
}

}  // namespace gpp
