// The energy that a variant uses.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "roofline/energy.h"
#include "roofline/record/fields.h"

namespace gpp {

/// The energy that the device used while a variant ran repeatedly, in a separate phase.
struct EnergyRecord {
  roofline::EnergyUsed used = {};
  int runs = 0;                          ///< number of runs in sequence
  double run_seconds = 0;                ///< time per run, host work included
  double clock_mhz = 0;                  ///< mean clock; 0 if unreadable
  double idle_watts = 0;                 ///< power of the idle device before the phase
  std::optional<double> celsius = {};    ///< temperature at the end, Celsius
  std::vector<std::string> limits = {};  ///< what limited the clock at the end (roofline/nvml.h)
  std::string reason = {};               ///< reason if it was not measured

  bool known() const { return reason.empty() && used.seconds > 0 && run_seconds > 0; }
  double watts() const { return used.watts(); }
  double joules_per_run() const { return watts() * run_seconds; }
};
void fields(roofline::Fields& field, EnergyRecord& energy);

}  // namespace gpp
