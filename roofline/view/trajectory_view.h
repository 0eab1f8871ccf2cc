// Scaling trajectories on the roofline: how work moves as more of a device is used.
//
// Each number of units (multiprocessors, cores) has its own roofs. A line straight up loses
// nothing; a line that turns left moves more bytes for the same work; steps that become shorter
// gain less from more units. Source: Ibrahim et al. 2019.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "roofline/models/model_table.h"
#include "roofline/view/chart.h"

namespace roofline {

/// The point of work on one number of units.
struct TrajectoryMark {
  int units = 0;
  double intensity = 0;  ///< work per byte, or per transaction
  double rate = 0;       ///< rate of work per second
  bool counted = false;  ///< filled: hardware counted both on so many units; else hollow
};

struct TrajectoryCurve {
  std::string label;                  ///< "v9 gpp214"
  std::size_t colour = 0;             ///< curves with the same colour have different dashes
  std::size_t dash = 0;               ///< number of a dash pattern; 0: a solid line
  std::vector<TrajectoryMark> marks;  ///< points, fewest units first
};

struct TrajectoryRoof {
  int units = 0;
  double peak = 0;       ///< highest rate of work per second
  double bandwidth = 0;  ///< bytes, or transactions, per second
};

struct TrajectoryChart {
  std::string device;
  Model model;
  std::string level;                  ///< name of the level: "DRAM"
  std::string units;                  ///< name of the units: "multiprocessors"
  std::vector<TrajectoryRoof> roofs;  ///< roofs, fewest units first
  std::vector<TrajectoryCurve> curves;
  std::vector<std::string> notes;  ///< what is not drawn, with reasons
};

/// Every curve must have a mark, and all numbers must be positive. Each curve has its name at its
/// end, and numbers of units at its first and last marks.
Chart make_trajectory(const TrajectoryChart& trajectory, const std::string& name,
                      const std::string& subtitle);

}  // namespace roofline
