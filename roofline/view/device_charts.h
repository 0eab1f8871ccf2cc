// The charts that any work under roofs has: the hierarchical roofline, the times that it needs and
// took, and the time plane.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "roofline/view/roofline_chart.h"

namespace roofline {

/// Steps under the roofs of one machine, as one series of a chart.
struct ChartSeries {
  RooflineChart chart;
  std::string title = {};    ///< "H200, cuda"; empty of the only series of a picture, whose marks
                             ///< have the colours of their levels
  std::size_t colour = 0;    ///< its place among all series of a page
  std::string machine = {};  ///< roofs of one machine are drawn once
  Tags tags = {};            ///< of all that is its own
};

/// The hierarchical roofline: roofs, measured and theoretical, walls and ceilings of FMA mixes; one
/// mark per step and level, hollow where it is analytic; arrows from step to step where these are
/// in order. `series` holds one at least, all of one model of work. Sources (docs/sources.md): Yang
/// 2019; Lu and Wolfe 2022; Ding and Williams 2019 for instructions.
Chart make_roofline(std::vector<ChartSeries> series, const std::string& name,
                    const std::string& subtitle);

/// A column per step, as high as the time it took, with a mark where each level's traffic and the
/// arithmetic would let it be. It survives steps that change the number of operations, where FLOP/s
/// can fall while the work gets done sooner. Source: Wang et al. 2020.
Chart make_times(const std::vector<ChartSeries>& series, const std::string& name,
                 const std::string& subtitle);

/// A place on the time plane, seconds.
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

/// The time and work of launching alone. Nothing can be told from a point within it.
struct LaunchBox {
  std::size_t launches = 1;
  double seconds = 0;  ///< launches x cost of one
};

/// The time plane: each step by the time of its arithmetic and that of its bytes at one level.
///
/// Its complexities, operations and bytes, lie where they would be at the machine's roofs: at
/// operations over peak, bytes over bandwidth. Its run time lies on the same intensity, so that the
/// longer of the two is the time taken: with the balance B = peak / bandwidth and an intensity AI
/// of at least B the compute time is T and the bandwidth time T B / AI, else the bandwidth time is
/// T and the compute time T AI / B. What lies between the two marks is the share of the roof that
/// was not reached. Source: Wang et al. 2020.
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

/// Filled marks are complexities, open ones the time taken. Empty where no series has a plane.
std::optional<Chart> make_plane(const std::vector<ChartSeries>& series, const std::string& level,
                                const std::string& name, const std::string& subtitle);

}  // namespace roofline
