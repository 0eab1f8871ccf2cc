// Conditions that would disturb the times of a study on this machine.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/doctor/doctor.h"
#include "harness/record/timing.h"

namespace gpp {

/// The facts that decide whether times can be trusted here.
struct LoadFacts {
  LoadShare now;  ///< while the doctor looked
  std::optional<double> load_average;
  std::string governor;         ///< empty: unknown
  std::string affinity;         ///< processors that this process may use; empty: not known
  int cores = 0;                ///< how many those are
  int online = 0;               ///< on the whole machine; 0: not known
  int threads = 0;              ///< that OpenMP starts
  std::optional<double> quota;  ///< cores' worth of CPU time; empty: not limited
};

std::vector<Finding> judge(const LoadFacts& facts);

/// Looks at this machine, for half a second: a check of the doctor's.
std::vector<Finding> look_at_load();

}  // namespace gpp
