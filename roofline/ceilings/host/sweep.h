// Bandwidth over working set, all cores reading at once, each its own memory.
#pragma once

#include <vector>

#include "roofline/ceilings/host/processor.h"
#include "roofline/ceilings/measure.h"

namespace roofline::host {

struct Sweep {
  std::vector<SweepPoint> points;  ///< bytes of one core, B/s of all
  double clock_mhz = 0;
};

/// The working sets to try, of one core: from 8 KiB up in four steps an octave, to four times what
/// the core has of the last cache (512 MB for all cores where that is not known, or is more), but
/// not more than `memory` for all cores together.
std::vector<std::size_t> working_sets(const Processor& processor, std::size_t cpus, double memory);

/// Measures them all; progress goes from `begin` to 1.
Sweep measure_sweep(const std::vector<int>& cpus, const std::vector<std::size_t>& sets,
                    const Progress& progress, double begin);

/// Bytes of memory that are free.
double free_memory();

}  // namespace roofline::host
