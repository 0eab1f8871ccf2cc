// Scaling trajectories on the roofline: how work moves as more of a device takes part.
//
// Each number of units (multiprocessors, cores) has roofs of its own. A line that rises straight up
// loses nothing; one that turns left moves more bytes for the same work; one whose steps become
// short gets less out of more units. Source: Ibrahim et al. 2019.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "roofline/models/model_table.h"
#include "roofline/view/chart.h"

namespace roofline {

/// A place of the work on so many units.
struct TrajectoryMark {
  int units = 0;
  double intensity = 0;  ///< work per byte, or per transaction
  double rate = 0;       ///< work per second
  bool counted = false;  ///< hardware counted both on so many units: filled; else hollow
};

struct TrajectoryCurve {
  std::string label;                  ///< "v9 gpp214"
  std::size_t colour = 0;             ///< curves of one colour differ in their dashes
  std::size_t dash = 0;               ///< 0: a whole line
  std::vector<TrajectoryMark> marks;  ///< fewest units first
};

struct TrajectoryRoof {
  int units = 0;
  double peak = 0;       ///< work per second
  double bandwidth = 0;  ///< bytes, or transactions, per second
};

struct TrajectoryChart {
  std::string device;
  Model model;
  std::string level;                  ///< for people: "DRAM"
  std::string units;                  ///< for people: "multiprocessors"
  std::vector<TrajectoryRoof> roofs;  ///< fewest units first
  std::vector<TrajectoryCurve> curves;
  std::vector<std::string> notes;  ///< what is not drawn, and why
};

/// Every curve must have a mark, and all numbers must be positive. Each curve is named at its end,
/// and the numbers of units stand at its first and last mark.
Chart make_trajectory(const TrajectoryChart& trajectory, const std::string& name,
                      const std::string& subtitle);

}  // namespace roofline
