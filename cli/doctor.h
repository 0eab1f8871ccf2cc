// The findings of `gpp doctor`: what this machine can do, what disturbs times here, and whether
// counters can be read. What is missing has a remedy.
#pragma once

#include <optional>
#include <string>
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
  std::string remedy = {};  ///< empty where nothing is missing
};

std::string name_of(Health health);

/// What decides whether times and counters of this machine can be trusted.
struct DoctorFacts {
  LoadShare load;
  int cores = 0, threads = 0;  ///< that this process may use, and of OpenMP
  roofline::cupti::Status cupti;
  std::string cannot_count;        ///< why the recorder cannot; empty if it can
  std::optional<bool> restricted;  ///< counters are for administrators; empty without a driver
  bool administrator = false;      ///< this process is one
  bool dcgm = false;               ///< NVIDIA's DCGM service runs here
  bool gpu = true;                 ///< without one, permissions do not matter
};

/// Looks at the load for half a second.
DoctorFacts facts_of_this_machine();

std::vector<Finding> findings_on(const DoctorFacts& facts);

}  // namespace gpp
