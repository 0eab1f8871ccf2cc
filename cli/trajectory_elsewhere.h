// Trajectories by processes that this program starts: itself, as `gpp trajectory --elsewhere`.
#pragma once

#include "harness/measure/trajectory.h"

namespace gpp {

/// The option of `gpp trajectory` that only such a process is given.
inline constexpr const char* trajectory_mode_option = "--elsewhere";

/// Arguments of `gpp trajectory` that every process gets as they are: variants, kernel, sizes and
/// how to measure.
struct TrajectoryElsewhereRequest {
  std::vector<std::string> arguments;
  std::string kind;
  double limit_s = 600;  ///< seconds of silence after which a process is ended
};

/// Starts the processes. On a host each gets as many cores as it shall run on: one of each physical
/// core first.
TrajectoryElsewhere trajectory_elsewhere(const TrajectoryElsewhereRequest& request);

/// These processors, the first of each physical core before the others: "0,1" and "2,3" being one
/// core each, 0 2 1 3. In their own order where the system does not tell.
std::vector<int> cores_first(const std::vector<int>& processors,
                             const std::filesystem::path& root = "/");

}  // namespace gpp
