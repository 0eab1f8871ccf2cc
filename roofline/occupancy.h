// How many warps of a kernel a multiprocessor holds at a time, and what limits them, from what a
// launch asks for. Source: NVIDIA, CUDA C++ Programming Guide, "Technical Specifications per
// Compute Capability", and how the toolkit's cuda_occupancy.h divides registers and shared memory.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace roofline {

struct LaunchShape {
  int threads = 0;             ///< of a block, 1 to 1024
  int registers = 0;           ///< of a thread, 1 to 255
  long long shared_bytes = 0;  ///< of a block, static and dynamic
};

/// Blocks that a multiprocessor could hold if nothing else limited them.
struct OccupancyLimit {
  std::string what;  ///< "registers", "warps", "blocks", "shared memory"
  int blocks = 0;
};

struct Occupancy {
  std::vector<OccupancyLimit> limits;  ///< tightest first
  int warps_of_block = 0;
  int most_warps = 0;  ///< of a multiprocessor

  int blocks() const { return limits.front().blocks; }
  int warps() const { return blocks() * warps_of_block; }
  double share() const { return static_cast<double>(warps()) / most_warps; }
  /// "registers", or "registers and warps" where both limit alike.
  std::string limiter() const;
};

/// Empty where the compute capability, 90 for 9.0, is not known.
std::optional<Occupancy> occupancy(int compute_capability, const LaunchShape& shape);

}  // namespace roofline
