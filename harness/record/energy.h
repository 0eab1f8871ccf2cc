// The energy that a variant uses.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "roofline/energy.h"
#include "roofline/record/fields.h"

namespace gpp {

/// The energy that the device used while a variant ran back to back, in a phase of its own.
struct EnergyRecord {
  roofline::EnergyUsed used = {};
  int runs = 0;                          ///< back to back
  double run_seconds = 0;                ///< of one of them, with what the host does between two
  double clock_mhz = 0;                  ///< mean; 0 where it cannot be read
  double idle_watts = 0;                 ///< of the device while nothing runs, before the phase
  std::optional<double> celsius = {};    ///< at the end
  std::vector<std::string> limits = {};  ///< what held the clock back at the end (roofline/nvml.h)
  std::string reason = {};               ///< why it was not measured; empty where it was

  bool known() const { return reason.empty() && used.seconds > 0 && run_seconds > 0; }
  double watts() const { return used.watts(); }
  double joules_per_run() const { return watts() * run_seconds; }
};
void fields(roofline::Fields& field, EnergyRecord& energy);

}  // namespace gpp
