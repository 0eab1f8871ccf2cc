// Measures kernel launches, and the reading of shared memory and of global memory through L1, L2
// and DRAM.
#pragma once

#include <vector>

#include "roofline/ceilings.h"
#include "roofline/ceilings/cuda/device.h"
#include "roofline/ceilings/cuda/timing.h"
#include "roofline/ceilings/measure.h"

namespace roofline::gpu {

/// Reads shared memory with loads of 128 bits per thread, without bank conflicts; its work is
/// counted in bytes.
Benchmark reader_of_shared();

struct Sweep {
  std::vector<SweepPoint> points;
  /// The smallest set in bytes that L2 serves: all data in flight on the device. The largest is
  /// half of L2, since the halves of a divided one may hold the same data. 0: unknown size.
  double l2_from = 0;
  double l2_until = 0;
  double clock_mhz = 0;  ///< median clock of the sweep
};

/// Measures global memory in four steps per octave from 16 KiB to `largest` bytes. Up to 1 MiB,
/// every multiprocessor reads the whole set cyclically from its own position, so sets that fit into
/// L1 are read from there. Larger sets are read past L1 and shared by the multiprocessors; they
/// begin where L2 can be measured.
Sweep measure_sweep(Stopwatch& stopwatch, std::size_t largest, const Progress& progress,
                    double begin);

/// Measures the time of an empty kernel in a stream of many.
LaunchCost measure_launch(Stopwatch& stopwatch);

}  // namespace roofline::gpu
