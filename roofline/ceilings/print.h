// Prints the roofs of this machine on standard output, for people and scripts.
#pragma once

#include <string>

#include "roofline/ceilings.h"

namespace roofline {

struct CeilingsRequest {
  std::string device;  ///< "host" or "gpu"; empty: both
  bool fresh = false;  ///< measure again, ignoring stored roofs
  bool sweep = false;  ///< also print the rate for every working set
  bool json = false;
};

/// "2.200 us, half of the runs 2.100 us to 2.400 us"
std::string describe_launch(const LaunchCost& launch);

/// Prints the roofs, measured or from the cache. If one of both devices has no roofs, that is
/// printed; throws std::runtime_error if this device was requested.
void print_ceilings(const CeilingsRequest& request);

}  // namespace roofline
