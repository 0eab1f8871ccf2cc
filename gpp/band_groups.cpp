#include "gpp/band_groups.h"

#include <algorithm>

#include "gpp/forms/real_poles.h"

namespace gpp {

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

}  // namespace gpp
