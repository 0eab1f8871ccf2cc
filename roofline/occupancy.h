// Computes from a launch's parameters how many warps a multiprocessor holds and what limits them.
// Sources: NVIDIA, CUDA C++ Programming Guide, "Technical Specifications per Compute Capability";
// the allocation of registers and shared memory in the toolkit's cuda_occupancy.h.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace roofline {

struct LaunchShape {
  int threads = 0;             ///< threads per block, 1 to 1024
  int registers = 0;           ///< registers per thread, 1 to 255
  long long shared_bytes = 0;  ///< shared memory per block, static and dynamic
};

/// The number of blocks per multiprocessor by one limit alone.
struct OccupancyLimit {
  std::string what;  ///< "registers", "warps", "blocks", "shared memory"
  int blocks = 0;
};

struct Occupancy {
  std::vector<OccupancyLimit> limits;  ///< limits, tightest first
  int warps_of_block = 0;
  int most_warps = 0;  ///< maximum warps per multiprocessor

  int blocks() const { return limits.front().blocks; }
  int warps() const { return blocks() * warps_of_block; }
  double share() const { return static_cast<double>(warps()) / most_warps; }
  /// Returns "registers", or "registers and warps" if both limit equally.
  std::string limiter() const;
};

/// Empty for an unknown compute capability (90 for 9.0).
std::optional<Occupancy> occupancy(int compute_capability, const LaunchShape& shape);

}  // namespace roofline
