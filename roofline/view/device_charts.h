// The charts of any work under roofs: the hierarchical roofline, required and measured times, and
// the time plane.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "roofline/view/roofline_chart.h"

namespace roofline {

/// One series of a chart: steps under the roofs of one machine.
struct ChartSeries {
  RooflineChart chart;
  std::string title = {};    ///< "H200, cuda"; empty for a picture's only series, whose marks have
                             ///< the colours of levels
  std::size_t colour = 0;    ///< index among all series of a page
  std::string machine = {};  ///< one machine's roofs are drawn once
  Tags tags = {};            ///< tags of all its items
};

/// The series with common axes, which contain those of each.
std::vector<ChartSeries> on_one_paper(std::vector<ChartSeries> all);

/// The hierarchical roofline: measured and theoretical roofs, walls and FMA mix ceilings; one mark
/// per step and level, hollow if computed; arrows between consecutive steps. `series` has at least
/// one element, all for one model of work. Sources (docs/sources.md): Yang 2019; Lu and Wolfe 2022;
/// Ding and Williams 2019 for instructions.
Chart make_roofline(std::vector<ChartSeries> series, const std::string& name,
                    const std::string& subtitle);

/// A column per step with its measured time, and marks at the times that each level's traffic and
/// the arithmetic need. It also suits steps that change the number of operations, where FLOP/s may
/// fall while the work gets faster. Source: Wang et al. 2020.
Chart make_times(const RooflineChart& from, const std::string& name, const std::string& subtitle);

/// A position on the time plane, in seconds.
struct PlanePlace {
  double compute = 0;
  double bandwidth = 0;
};

/// A step with its required and measured times.
struct PlaneStep {
  std::size_t step = 0;   ///< index of the step in RooflineChart::steps
  PlanePlace complexity;  ///< required times, by the roofs
  PlanePlace taken;
};

/// The time and work of launches alone. A point inside this box shows nothing.
struct LaunchBox {
  std::size_t launches = 1;
  double seconds = 0;  ///< number of launches times the cost of one
};

/// The time plane: each step by the time of its arithmetic and of its bytes at one level.
///
/// A step's complexity mark is at the times that its operations and bytes need at the machine's
/// roofs: operations over peak, bytes over bandwidth. Its run-time mark has the same intensity, and
/// the longer of its two times is the measured time T. With the balance B = peak / bandwidth and an
/// intensity AI of at least B, the compute time is T and the bandwidth time T B / AI; otherwise the
/// bandwidth time is T and the compute time T AI / B. The distance between both marks is the unused
/// part of the roof. Source: Wang et al. 2020.
struct TimePlane {
  std::string level;  ///< the level of the bytes
  std::vector<PlaneStep> steps;
  std::vector<LaunchBox> boxes;    ///< one per number of launches, fewest first
  std::vector<std::string> notes;  ///< reasons for missing boxes; items too far away
  Range seconds;                   ///< range of both axes
};

/// The default level of the plane: DRAM, or else the outermost level.
std::string plane_level(const RooflineChart& chart);

/// Empty if no step moved bytes at that level.
std::optional<TimePlane> time_plane(const RooflineChart& chart, const std::string& level);

/// Filled marks are complexities, open ones measured times. Empty if no step has a place.
std::optional<Chart> make_plane(const RooflineChart& from, const std::string& level,
                                const std::string& name, const std::string& subtitle);

}  // namespace roofline
