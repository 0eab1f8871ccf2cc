// Divides the empty bands into groups, each represented by a series (steps v13 and v14).
#pragma once

#include <vector>

#include "gpp/factored_problem.h"

namespace gpp {

/// The bands of a group are padded to a multiple of this number, which one instruction of the
/// tensor cores sums.
inline constexpr int moment_step = 16;

/// Groups of bands, ordered from those near the poles to those far away.
struct BandGroups {
  std::vector<MomentGroup> groups;
  std::vector<MomentBand> bands;  ///< bands of all groups in order, padded
  std::vector<int> other_bands;   ///< empty bands outside groups, ascending
};

/// Consecutive bands, counted from `first` away from the poles.
struct Run {
  int first;
  int bands;
};

/// The empty bands of a problem by distance from the poles. Needs them and wx in host memory.
class EmptyBands {
 public:
  explicit EmptyBands(const FactoredProblem& problem);

  int size() const { return static_cast<int>(bands_.size()); }
  MomentGroup group_of(Run run) const;
  /// Makes one group of each run, in the given order. Other bands are in no group.
  BandGroups make(const std::vector<Run>& runs) const;

 private:
  double x(int iw, int i) const;

  const FactoredProblem& problem_;
  std::vector<int> bands_;  // by falling wx, away from the poles
};

/// True if at every frequency all poles lie above the group, in branch 1.
bool is_clear(const FactoredProblem& problem, const MomentGroup& group);

}  // namespace gpp
