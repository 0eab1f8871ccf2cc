// The checks of `gpp doctor`. They examine the machine, conditions that disturb times, the build,
// OpenMP on GPUs, and counters of GPU and processor. Each failed check has a remedy.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/record/timing.h"
#include "roofline/permission.h"

namespace gpp {

enum class Health {
  good,
  note,    ///< works, but an optional part is missing
  problem  ///< should work but does not
};

struct Finding {
  std::string subject;  ///< "device", "model cuda"
  Health health = Health::good;
  std::string text;
  std::string remedy;  ///< remedy; may be empty
};

/// One check of the doctor. A new check is a new function in the list.
using DoctorCheck = std::vector<Finding> (*)();
const std::vector<DoctorCheck>& doctor_checks();

std::string name_of(Health health);

/// Tells whether a driver ("570.86.15") can run code compiled by a toolkit ("12.6.20"). Returns ""
/// if so, else the reason. NVIDIA's minor version compatibility requires a minimum driver for each
/// major toolkit version (CUDA Compatibility guide): 525.60.13 for 12, 580.65.06 for 13.
std::string cuda_mismatch(std::string_view driver, std::string_view toolkit);

/// Facts that decide whether times measured here can be trusted.
struct LoadFacts {
  LoadShare now;  ///< load during the check
  std::optional<double> load_average;
  std::string governor;         ///< frequency governor; empty: unknown
  std::string affinity;         ///< processors that this process may use; empty: unknown
  int cores = 0;                ///< number of processors in `affinity`
  int online = 0;               ///< processors of the whole machine; 0: unknown
  int threads = 0;              ///< number of OpenMP threads
  std::optional<double> quota;  ///< limit of CPU time, in cores; empty: no limit
};

std::vector<Finding> judge(const LoadFacts& facts);

/// A check of the doctor: measures this machine's load for half a second.
std::vector<Finding> look_at_load();

std::vector<Finding> look_at_offload();

/// The facts that decide whether counters can be read here.
struct ProfilingFacts {
  roofline::cupti::Status cupti;
  std::string unavailable;         ///< reason why the recorder cannot count; empty if it can
  std::optional<bool> restricted;  ///< only for administrators; empty without a driver
  bool administrator = false;      ///< this process runs as administrator
  bool dcgm = false;               ///< NVIDIA's DCGM service runs here
  bool gpu = true;                 ///< a GPU is usable; without one, the other facts do not matter
};

std::vector<Finding> judge(const ProfilingFacts& facts);

/// A check of the doctor: can counters be read on this machine?
std::vector<Finding> look_at_profiling();

}  // namespace gpp
