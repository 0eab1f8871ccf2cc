#include "data/statistics.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "roofline/base/parallel.h"

namespace gpp {
namespace {

constexpr std::size_t group_width = 32;

// The poles of one G', prepared for the branch conditions, with x = wx, t = |x - wtilde|^2 and
// u = |x + wtilde|^2 (gpp/forms/divide.h and factored.h),
//   branch 1: t > tau;  branch 2: else |wtilde|^2 > TOL_Zero t;
//   cut, x < 0: |wtilde|^4 > sexcut^2 t u in branch 1, |wtilde|^2 > 4 sexcut^2 u in branch 2,
//   and I_eps != 0.
struct PoleColumn {
  std::vector<double> re, im2, norm, tau;
  std::vector<double> cuttable;  // |wtilde|^2, or 0 if I_eps = 0 and nothing can be cut

  PoleColumn(const Problem& problem, int igp) {
    for (int ig = 0; ig < problem.ncouls; ++ig) {
      const Complex w = problem.wtilde_array(ig, igp);
      const Complex I_eps = problem.I_eps_array(ig, igp);
      re.push_back(w.re);
      im2.push_back(w.im * w.im);
      norm.push_back(gpp::norm(w));
      tau.push_back(std::max(problem.limits.limittwo, norm.back() / problem.limits.limitone));
      cuttable.push_back(I_eps == Complex{0.0, 0.0} ? 0.0 : norm.back());
    }
  }
};

void add(BranchMix& total, const BranchMix& part) {
  total.terms += part.terms;
  total.branch1 += part.branch1;
  total.branch2 += part.branch2;
  total.neither += part.neither;
  total.cut += part.cut;
  total.groups += part.groups;
  total.groups_branch2 += part.groups_branch2;
  total.groups_both += part.groups_both;
}

// Counts a group from `first` on at energy x, without branches so that the compiler vectorises.
BranchMix mix_of_group(const PoleColumn& column, std::size_t first, double x, double sexcut2) {
  const std::size_t last = std::min(first + group_width, column.re.size());
  BranchMix mix{.terms = static_cast<std::int64_t>(last - first), .groups = 1};
  for (std::size_t ig = first; ig < last; ++ig) {
    const double d = x - column.re[ig], s = x + column.re[ig];
    const double t = d * d + column.im2[ig], u = s * s + column.im2[ig];
    const bool branch1 = t > column.tau[ig];
    const bool branch2 = !branch1 & (column.norm[ig] > TOL_Zero * t);
    const bool large1 = column.cuttable[ig] * column.norm[ig] > sexcut2 * t * u;
    const bool large2 = column.cuttable[ig] > 4.0 * sexcut2 * u;
    mix.branch1 += branch1;
    mix.branch2 += branch2;
    mix.cut += (x < 0.0) & ((branch1 & large1) | (branch2 & large2));
  }
  mix.neither = mix.terms - mix.branch1 - mix.branch2;
  mix.groups_branch2 = mix.branch2 > 0;
  mix.groups_both = mix.branch1 > 0 && mix.branch2 > 0;
  return mix;
}

struct ColumnMix {
  BranchMix all;
  BranchMix occupied;
};

ColumnMix mix_of_column(const Problem& problem, int igp) {
  const PoleColumn column(problem, igp);
  const double sexcut2 = problem.limits.sexcut * problem.limits.sexcut;
  ColumnMix total;
  for (int n1 = 0; n1 < problem.nbands; ++n1)
    for (int iw = 0; iw < problem.nfreq; ++iw)
      for (std::size_t first = 0; first < column.re.size(); first += group_width) {
        const BranchMix mix = mix_of_group(column, first, problem.wx_array(iw, n1), sexcut2);
        add(total.all, mix);
        if (problem.occ_array(n1) > 0.0) add(total.occupied, mix);
      }
  return total;
}

// Each quantile is a value of the list: the one nearest to its place in sorted order.
Quantiles quantiles_of(std::vector<double>& values) {
  if (values.empty()) return {};
  const auto at = [&values](double share) {
    const auto place = std::llround(share * static_cast<double>(values.size() - 1));
    const auto found = values.begin() + place;
    std::nth_element(values.begin(), found, values.end());
    return *found;
  };
  return {at(0.0), at(0.25), at(0.5), at(0.75), at(0.99), at(1.0)};
}

PoleStatistics poles_of(const Problem& problem, const std::vector<int>& columns) {
  PoleStatistics statistics;
  std::vector<double> valid;
  for (const int igp : columns)
    for (int ig = 0; ig < problem.ncouls; ++ig) {
      const Complex w = problem.wtilde_array(ig, igp);
      ++statistics.poles;
      if (w == Complex{1e12, 0.0})
        ++statistics.invalid;
      else if (w == Complex{0.0, 0.0})
        ++statistics.zero;
      else if (w.im != 0.0)
        ++statistics.complex;
      else
        valid.push_back(w.re);
    }
  statistics.valid = quantiles_of(valid);
  return statistics;
}

void add_band(BandClass& bands, const Problem& problem, int n1) {
  for (int iw = 0; iw < problem.nfreq; ++iw) {
    const double wx = problem.wx_array(iw, n1);
    const bool first = bands.bands == 0 && iw == 0;
    bands.wx_min = first ? wx : std::min(bands.wx_min, wx);
    bands.wx_max = first ? wx : std::max(bands.wx_max, wx);
    if (wx < 0.0) ++bands.negative;
  }
  ++bands.bands;
}

// Returns every k-th column, with the smallest k that keeps terms and poles below their limits.
std::vector<int> sample(const Problem& problem, std::int64_t most_terms) {
  const std::int64_t poles = std::int64_t{problem.ncouls} * problem.ngpown;
  const std::int64_t work = std::max<std::int64_t>(problem.terms(), 100 * poles);
  const std::int64_t per_column = work / std::max(1, problem.ngpown);
  const std::int64_t most_columns =
      std::max<std::int64_t>(1, most_terms / std::max<std::int64_t>(1, per_column));
  const std::int64_t step = (problem.ngpown + most_columns - 1) / most_columns;
  std::vector<int> columns;
  for (std::int64_t igp = 0; igp < problem.ngpown; igp += step)
    columns.push_back(static_cast<int>(igp));
  return columns;
}

}  // namespace

Statistics statistics(const Problem& problem, std::int64_t most_terms) {
  Statistics result;
  for (int n1 = 0; n1 < problem.nbands; ++n1) {
    add_band(problem.occ_array(n1) > 0.0 ? result.occupied : result.empty, problem, n1);
    if (problem.occ_array(n1) == 0.5) ++result.half_occupied;
  }

  const std::vector<int> columns = sample(problem, most_terms);
  result.columns = problem.ngpown;
  result.sampled_columns = static_cast<int>(columns.size());
  std::vector<ColumnMix> mixes(columns.size());
  roofline::parallel_for(result.sampled_columns, [&](int i) {
    const auto place = static_cast<std::size_t>(i);
    mixes[place] = mix_of_column(problem, columns[place]);
  });
  for (const ColumnMix& mix : mixes) {
    add(result.all, mix.all);
    add(result.occupied_bands, mix.occupied);
  }
  result.wtilde = poles_of(problem, columns);
  return result;
}

}  // namespace gpp
