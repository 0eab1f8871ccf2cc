// How empty bands are put into groups that each leave a series (steps v13 and v14).
#pragma once

#include <vector>

#include "gpp/factored_problem.h"

namespace gpp {

/// Bands of a group are filled up to a multiple of this: what an instruction of the tensor cores
/// sums over.
inline constexpr int moment_step = 16;

/// Groups of bands. They go from the bands next to the poles to those farthest away.
struct BandGroups {
  std::vector<MomentGroup> groups;
  std::vector<MomentBand> bands;  ///< of group after group, filled up
  std::vector<int> other_bands;   ///< empty bands of no group, ascending
};

/// Bands that follow each other, away from the poles, counted from `first`.
struct Run {
  int first;
  int bands;
};

/// The empty bands of a problem, from the poles away. Needs them and wx in host memory.
class EmptyBands {
 public:
  explicit EmptyBands(const FactoredProblem& problem);

  int size() const { return static_cast<int>(bands_.size()); }
  /// The run from `first` on that has a step more than `bands`, or ends with the last band.
  Run longer(int first, int bands) const;
  MomentGroup group_of(Run run) const;
  /// A group of each run, in the order given; the other bands are in no group.
  BandGroups make(const std::vector<Run>& runs) const;

 private:
  double x(int iw, int i) const;

  const FactoredProblem& problem_;
  std::vector<int> bands_;  // by falling wx: away from the poles
};

/// Whether at every frequency all poles lie above the group, in branch 1.
bool is_clear(const FactoredProblem& problem, const MomentGroup& group);

}  // namespace gpp
