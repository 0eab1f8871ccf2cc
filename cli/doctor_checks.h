// The checks of `gpp doctor`: this machine's abilities for a study, with a remedy for each that
// lacks. They look at the machine, at conditions that would disturb times, at the build, OpenMP on
// GPUs, and the counters of GPU and processor.
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
  note,    ///< works, but something could be had that is not there
  problem  ///< something that should work does not
};

struct Finding {
  std::string subject;  ///< "device", "model cuda", "tool nvcc"
  Health health = Health::good;
  std::string text;
  std::string remedy;  ///< what to do; may be empty
};

/// Looks at one thing; a new check is a new function in the list.
using DoctorCheck = std::vector<Finding> (*)();
const std::vector<DoctorCheck>& doctor_checks();

std::string name_of(Health health);

/// Whether a driver ("570.86.15") can run what a toolkit ("12.6.20") compiled: empty where it can,
/// else what is wrong. By NVIDIA's minor version compatibility, each major version of the toolkit
/// asks for a least driver (CUDA Compatibility guide): 12 for 525.60.13, 13 for 580.65.06.
std::string cuda_mismatch(std::string_view driver, std::string_view toolkit);

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

std::vector<Finding> look_at_offload();

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

/// Looks at this machine: checks of the doctor's.
std::vector<Finding> look_at_profiling();

}  // namespace gpp
