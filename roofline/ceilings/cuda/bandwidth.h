// Reading: shared memory, and global memory through L1, L2 and DRAM.
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
  std::vector<SweepPoint> points;  ///< bytes that every multiprocessor reads
  double clock_mhz = 0;            ///< median
};

/// Global memory: every block reads the same working set, round and round, each from another place.
/// A set that fits L1 is read from there, and so on; from 16 KiB up in four steps an octave to
/// `largest` bytes.
Sweep measure_sweep(Stopwatch& stopwatch, std::size_t largest, const Progress& progress,
                    double begin);

}  // namespace roofline::gpu
