// What launching a kernel costs.
#pragma once

#include "roofline/ceilings.h"
#include "roofline/ceilings/cuda/timing.h"

namespace roofline::gpu {

/// Of an empty kernel in a stream of many, one right behind the other.
LaunchCost measure_launch(Stopwatch& stopwatch);

}  // namespace roofline::gpu
