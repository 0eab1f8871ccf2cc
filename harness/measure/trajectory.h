// Trajectories: variants timed and counted on a growing part of one device (`gpp trajectory`).
//
// Each number of units is a study whose workers are confined to them: to green contexts of a GPU,
// which exclude CUPTI, or to cores. What a GPU moves is counted afterwards, in workers that have
// the device's own context.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "harness/measure/measure.h"
#include "harness/record/trajectory.h"

namespace gpp {

/// A size of input by the word it was asked for with.
struct TrajectorySize {
  std::string name;
  SourceRequest source;
};

struct TrajectoryPlan {
  const Kernel* kernel = nullptr;
  std::vector<TrajectorySize> sizes;
  std::vector<int> units;  ///< fewest first
  StudyOptions options;
  std::vector<Choice> choices;  ///< all of one kind of device, with builds
};

/// What is missing is in Trajectory::lost; an interruption ends it early. `keep` is called with
/// what is there after each study.
Trajectory measure_trajectory(const TrajectoryPlan& plan,
                              const std::function<void(const Trajectory&)>& keep);

}  // namespace gpp
