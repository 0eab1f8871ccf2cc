// The conditions for reading counters, the GPU's and the processor's.
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

/// The counters of the processor: `unavailable` says why they cannot be read, empty where they can.
Finding judge_likwid(const std::string& unavailable);

/// Looks at this machine: checks of the doctor's.
std::vector<Finding> look_at_profiling();
std::vector<Finding> look_at_host_counters();

}  // namespace gpp
