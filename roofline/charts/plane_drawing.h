// The time plane: each step by the time of its arithmetic and that of its bytes at one level.
//
// Its complexities, operations and bytes, lie where they would be at the machine's roofs: at
// operations over peak, bytes over bandwidth. Its run time lies on the same intensity, so that the
// longer of the two is the time taken: with the balance B = peak / bandwidth and an intensity AI of
// at least B the compute time is T and the bandwidth time T B / AI, else the bandwidth time is T
// and the compute time T AI / B. What lies between the two markers is the share of the roof that
// was not reached. Source: Wang et al. 2020.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "roofline/charts/chart.h"
#include "roofline/charts/gnuplot.h"

namespace roofline {

/// A place on the plane, seconds.
struct PlanePlace {
  double compute = 0;
  double bandwidth = 0;
};

/// A step with what it needs at least and what it took.
struct PlaneStep {
  std::size_t step = 0;   ///< index into RooflineChart::steps
  PlanePlace complexity;  ///< at the roofs
  PlanePlace taken;
};

/// What launching alone takes: nothing with both times below it can be told from it.
struct LaunchBox {
  std::size_t launches = 1;
  double seconds = 0;  ///< launches x cost of one
};

struct TimePlane {
  std::string level;  ///< whose bytes these are
  std::vector<PlaneStep> steps;
  std::vector<LaunchBox> boxes;    ///< of each number of launches, fewest first
  std::vector<std::string> notes;  ///< why there is no box, or one of one launch; what is far off
  Range seconds;                   ///< of both axes
};

/// The level that the plane is drawn for where nothing else is asked: DRAM, or else the outermost.
std::string plane_level(const RooflineChart& chart);

/// Empty where no step moved bytes at that level.
std::optional<TimePlane> time_plane(const RooflineChart& chart, const std::string& level);

/// Draws it for plane_level(): filled markers are complexities, open ones the time taken. Empty
/// where there is no plane.
std::optional<Drawing> draw_plane(const RooflineChart& chart, const std::string& name,
                                  const std::string& subtitle);

}  // namespace roofline
