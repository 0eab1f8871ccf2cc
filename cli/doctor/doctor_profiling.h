// The conditions for reading the GPU's counters.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/doctor/doctor.h"
#include "roofline/cupti/status.h"

namespace gpp {

/// The facts that decide whether counters can be read here.
struct ProfilingFacts {
  roofline::cupti::Status cupti;
  std::string unavailable;         ///< why the recorder cannot count; empty where it can
  std::optional<bool> restricted;  ///< counters are for administrators; empty without a driver
  bool administrator = false;      ///< this process is one
  bool dcgm = false;               ///< runs here
  bool gpu = true;                 ///< a GPU can be used: without one nothing else matters
};

std::vector<Finding> judge(const ProfilingFacts& facts);

/// Looks at this machine: a check of the doctor's.
std::vector<Finding> look_at_profiling();

}  // namespace gpp
