// The phase in which a variant's energy is measured: it runs back to back, untimed, until the
// device's counter of energy has moved a hundred times.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/record/record.h"
#include "roofline/energy.h"
#include "roofline/nvml.h"

namespace gpp {

/// The questions that the phase asks of a device; tests answer them.
struct EnergySources {
  roofline::EnergyCounter counter;
  std::function<std::optional<double>()> celsius;    ///< may be empty
  std::function<std::vector<std::string>()> limits;  ///< of the clock; may be empty
};

/// The sources for the GPU at that place on the bus, or for the host where the place is empty.
EnergySources energy_sources(const std::string& bus_place);

/// Runs that followed each other back to back.
struct Repeated {
  int runs = 0;
  double seconds = 0;  ///< of all of them
  double clock_mhz = 0;
};

struct EnergyRule {
  int updates = 100;    ///< moves of the counter
  double least = 1;     ///< seconds
  double warm_up = 1;   ///< seconds of runs before, at the variant's own power
  double idle = 2;      ///< seconds for which the idle device is watched
  double longest = 60;  ///< seconds; a counter that is too slow for it is of no use
};

/// Measures one variant after the other on a device.
class EnergyMeter {
 public:
  explicit EnergyMeter(EnergySources sources, EnergyRule rule = {})
      : sources_(std::move(sources)), rule_(rule) {}

  /// Looks at the idle device first, once. Then `repeat` keeps the device busy for at least so many
  /// seconds. What it throws goes on.
  EnergyRecord measure(const std::function<Repeated(double seconds)>& repeat);

 private:
  EnergySources sources_;
  EnergyRule rule_;
  std::optional<roofline::EnergyUsed> idle_;
};

}  // namespace gpp
