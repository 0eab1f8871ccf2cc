// Where the joules of a run go, by what its counters say (Choi et al. 2013: a roofline
// model of energy).
//
// A device takes constant power, and so much more for each instruction of FP64, for each operation
// of its tensor cores, for each other instruction, and for each byte that comes from L1, from L2
// and from DRAM. These prices follow from the device's power while the kernels of the roofs run
// (Ceilings::power): what a kernel takes above a device of blocks that sleep, over its rate. Bytes
// of DRAM pass L2, and bytes of L2 pass L1, so that a level's price is what it adds to the one
// before.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "roofline/ceilings.h"
#include "roofline/metrics.h"

namespace roofline {

/// Each in joules.
struct EnergyParts {
  double constant = 0;      ///< power of a device whose blocks sleep, times the time
  double fp64 = 0;          ///< instructions of the FP64 pipe
  double tensor = 0;        ///< FP64 operations of the tensor cores
  double instructions = 0;  ///< all other instructions
  double l1 = 0;            ///< bytes that L1 and shared memory deliver
  double l2 = 0;            ///< what bytes of L2 take more
  double dram = 0;          ///< what bytes of DRAM take more

  double sum() const { return constant + fp64 + tensor + instructions + l1 + l2 + dram; }
};

/// Watts of the constant part, and joules of one unit of each of the others.
struct EnergyPrices {
  double constant_watts = 0;
  EnergyParts of_one;
};

/// Empty where the power at one of the roofs is not known, or makes no sense.
std::optional<EnergyPrices> energy_prices(const std::vector<RoofPower>& power);

/// The energy expected for a run of so many seconds. Empty where bytes or instructions were not
/// counted.
std::optional<EnergyParts> predicted_energy(const EnergyPrices& prices, const Metrics& metrics,
                                            double seconds);

/// The roofline of energy (Choi et al. 2013): the FP64 operations that a joule pays for at the
/// most, over the operations per byte of one level of memory. Operation and bytes have their
/// prices, and constant power runs for as long as the slower of both takes at its roof.
struct EnergyRoof {
  double joules_per_flop = 0;
  double joules_per_byte = 0;
  double constant_watts = 0;
  double flop_per_s = 0;
  double bytes_per_s = 0;

  /// Operations per joule; `intensity` in operations per byte, above 0.
  double at(double intensity) const;
  /// Where operations and bytes take as much energy, without constant power. Operations per byte.
  double balance() const { return joules_per_byte / joules_per_flop; }
};

/// The energy roof of the level "l1", "l2" or "dram". Empty where a price is not known.
std::optional<EnergyRoof> energy_roof(const std::vector<RoofPower>& power, std::string_view level);

}  // namespace roofline
