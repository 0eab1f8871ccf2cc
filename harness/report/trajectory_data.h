// What report.html is given of a trajectory.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/record/trajectory.h"
#include "harness/show/side_by_side.h"

namespace gpp {

struct NamedTrajectory {
  std::string name;  ///< of its folder
  Trajectory trajectory;
};

/// {"name", "device", "kind", "units", "all_units", "complete", "lost": [...],
///  "lines": [{"label", "level", "rate_unit", "intensity_unit", "stops": [{"units", "seconds",
///    "speedup", "efficiency", "rate", "intensity", "counted", "change", "limit"}]}],
///  "charts": [{"name", "level", "rate_unit", "intensity_unit", "bandwidth_unit",
///    "roofs": [{"units", "peak", "bandwidth"}],
///    "curves": [{"label", "colour", "dash", "marks": [{"units", "intensity", "rate",
///      "counted"}]}], "notes": [...]}]}.
/// "units" is what they are called. What is not known is null.
nlohmann::ordered_json trajectory_data(const NamedTrajectory& named);

/// Of each size the study on the most units: what a report shows beside the trajectory.
std::vector<NamedStudy> studies_of(const NamedTrajectory& named);

}  // namespace gpp
