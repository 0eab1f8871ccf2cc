// Measures launches of kernels, and reading of shared memory and of global memory through L1, L2
// and DRAM.
#pragma once

#include <vector>

#include "roofline/ceilings.h"
#include "roofline/ceilings/cuda/device.h"
#include "roofline/ceilings/cuda/timing.h"
#include "roofline/ceilings/measure.h"

namespace roofline::gpu {

/// A measured rate and the clock meanwhile.
struct Rate {
  double bytes_per_s = 0;
  double clock_mhz = 0;
};

/// Shared memory, 128 bits a thread and load, free of bank conflicts.
Rate measure_shared(Stopwatch& stopwatch);

struct Sweep {
  std::vector<SweepPoint> points;
  /// The sets that L2 serves, bytes: from what all multiprocessors of the device have in flight to
  /// half of L2, since the halves of a divided one may hold the same data. 0: its size is not
  /// known.
  double l2_from = 0;
  double l2_until = 0;
  double clock_mhz = 0;  ///< median
};

/// Global memory, in four steps an octave from 16 KiB to `largest` bytes. Up to 1 MiB every
/// multiprocessor reads the whole set, round and round, from another place: what fits L1 is read
/// from there. Larger sets are read past L1, and the multiprocessors share them out; they begin
/// where L2 can be measured.
Sweep measure_sweep(Stopwatch& stopwatch, std::size_t largest, const Progress& progress,
                    double begin);

/// The time of an empty kernel in a stream of many, one right behind the other.
LaunchCost measure_launch(Stopwatch& stopwatch);

}  // namespace roofline::gpu
