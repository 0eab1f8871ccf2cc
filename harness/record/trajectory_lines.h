// What a trajectory shows: for each variant and size how speed, intensity and limits change with
// the number of units.
//
// Ideal is a line that goes straight up: the rate grows as the units do, and the intensity stays.
// One that turns left does more traffic for the same work, because more units share caches that
// have not grown. Source: Ibrahim et al. 2019.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/record/trajectory.h"

namespace gpp {

/// The work at one level of memory.
struct StopLevel {
  std::string level;     ///< "dram"
  double intensity = 0;  ///< work per byte, or per transaction
  /// False where hardware did not count these bytes on so many units. The intensity is then that of
  /// the most units where it did, or was computed: drawn hollow.
  bool counted = false;
  /// Share of the time that the bytes need at the bandwidth measured on so many units; empty where
  /// the bytes are not known for them.
  std::optional<double> share;
  std::optional<double> change;  ///< of the intensity, over that of the fewest units; both known
};

/// The cause that limits a run.
struct Limit {
  /// "issue", "compute", a level ("dram"), "cache capacity", "latency", or a host's verdict:
  /// "scalar code", "division"; "unknown" where nothing was counted.
  std::string by;
  std::string evidence;  ///< "dram 87%, 1.8x the bytes of 8"
};

/// The share from which on more bytes than on fewer units are called a loss of cache.
inline constexpr double more_bytes = 1.1;

/// A variant and size on so many units.
struct TrajectoryStop {
  int units = 0;
  const TrajectoryPoint* point = nullptr;
  const Result* result = nullptr;    ///< timed
  double seconds = 0;                ///< median
  double speedup = 0;                ///< over the fewest units of the line
  double efficiency = 0;             ///< speedup over the growth of the units
  double rate = 0;                   ///< work per second; 0 where the work is not known
  std::optional<double> issue = {};  ///< share of the roof of warp instructions, where counted
  /// Share of the time that the FP64 pipe was busy: its instructions are not all fused
  /// multiply-adds, and some compute nothing. Of FP64 work on a GPU.
  std::optional<double> pipe = {};
  std::optional<double> compute = {};  ///< share of the peak of the work
  std::vector<StopLevel> levels = {};  ///< nearest first
  Limit limit = {};

  const StopLevel* find(const std::string& level) const;
};

struct TrajectoryLine {
  std::string variant, step, model, size;
  std::string work;  ///< the roofline model: "fp64", or "instructions" where nothing is computed
  std::vector<TrajectoryStop> stops;  ///< fewest units first

  std::string label(bool several_sizes) const;  ///< "v9 gpp214"
};

/// The levels of a line's stops, nearest first.
std::vector<std::string> levels_of(const TrajectoryLine& line);

/// All lines with at least one time, in the order of the record. They point into the trajectory.
std::vector<TrajectoryLine> lines_of(const Trajectory& trajectory);

}  // namespace gpp
