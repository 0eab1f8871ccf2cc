// The roofs of this machine for people and scripts, on standard output.
#pragma once

#include <string>

#include "roofline/ceilings.h"

namespace roofline {

struct CeilingsRequest {
  std::string device;  ///< "host" or "gpu"; empty: both
  bool fresh = false;  ///< measure again, even if this device was before
  bool sweep = false;  ///< the rate at every working set, too
  bool json = false;
};

/// "2.200 us, half of the runs 2.100 us to 2.400 us"
std::string describe_launch(const LaunchCost& launch);

/// Measures, or takes from the cache, and prints. Of both devices one may lack its roofs, and is
/// said to; throws std::runtime_error where that one was asked for.
void print_ceilings(const CeilingsRequest& request);

}  // namespace roofline
