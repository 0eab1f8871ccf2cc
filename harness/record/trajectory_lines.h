// What a trajectory shows: for each variant and size, how speed, intensity and limits change with
// the number of units.
//
// An ideal line goes straight up: the rate grows with the units at constant intensity. A line that
// turns left causes more traffic for the same work, because more units share caches of the same
// size. Source: Ibrahim et al. 2019.
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
  /// False if hardware did not count these bytes on so many units. Then the intensity is that of
  /// the most units with counts, or computed, and its mark is drawn hollow.
  bool counted = false;
  /// The share of the time that the bytes need at the bandwidth measured on so many units; empty if
  /// the bytes are unknown.
  std::optional<double> share = {};
  std::optional<double> change = {};  ///< intensity relative to the fewest units, if both are known
};

/// The cause that limits a run.
struct Limit {
  /// "issue", "compute", a level ("dram"), "cache capacity", "latency", or a host's limit: "scalar
  /// code", "division"; "unknown" without counts.
  std::string by;
  std::string evidence;  ///< "dram 87%, 1.8x the bytes of 8"
};

/// More bytes than on fewer units, by this factor, count as a loss of cache.
inline constexpr double more_bytes = 1.1;

/// A variant and size on one number of units.
struct TrajectoryStop {
  int units = 0;
  const TrajectoryPoint* point = nullptr;
  const Result* result = nullptr;    ///< the timed result on these units
  double seconds = 0;                ///< median time of the result
  double speedup = 0;                ///< relative to the line's fewest units
  double efficiency = 0;             ///< speedup over the ratio of units
  double rate = 0;                   ///< work per second; 0 if the work is unknown
  std::optional<double> issue = {};  ///< share of the warp instruction roof, if counted
  /// The share of time in which the FP64 pipe was busy, for FP64 work on a GPU. Its instructions
  /// are not all fused multiply-adds, and some compute nothing.
  std::optional<double> pipe = {};
  std::optional<double> compute = {};  ///< share of the peak for this work
  std::vector<StopLevel> levels = {};  ///< memory levels, nearest first
  Limit limit = {};

  const StopLevel* find(const std::string& level) const;
};

struct TrajectoryLine {
  std::string variant, model, size;
  std::string work = {};  ///< the roofline model: "fp64", or "instructions" without operations
  std::vector<TrajectoryStop> stops = {};  ///< its stops, fewest units first

  std::string label(bool several_sizes) const;  ///< "v9 gpp214"
};

/// The memory levels of a line's stops, nearest first.
std::vector<std::string> levels_of(const TrajectoryLine& line);

/// All lines with at least one time, in the record's order. They point into the trajectory.
std::vector<TrajectoryLine> lines_of(const Trajectory& trajectory);

}  // namespace gpp
