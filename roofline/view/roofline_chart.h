// Steps under the roofs of one machine, and the charts of them: the hierarchical roofline, required
// and measured times, and the time plane; and the columns of instruction rooflines: how full warps
// are, and how well their accesses coalesce.
//
// Sources (docs/sources.md): Yang 2019 for one point per memory level and lines between versions;
// Lu and Wolfe 2022 for measured beside theoretical roofs; Ding and Williams 2019 for instructions;
// Wang et al. 2020 for times.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "roofline/base/table.h"
#include "roofline/ceilings.h"
#include "roofline/points.h"
#include "roofline/view/axes.h"

namespace roofline {

/// A piece of work under its roofs, with a name for its label: "v7".
struct Step {
  std::string label;
  RooflinePoint point;
  std::optional<std::size_t> launches = {};  ///< number of kernel launches; empty: unknown
  std::string title = {};                    ///< longer name: "v7 reciprocal"
  HoverFacts facts = {};                     ///< additional lines of its hover texts
};

/// A ceiling in the unit of its chart; that of a level with points has the level's name.
struct Roof : Ceiling {
  std::string unit = "B/s";  ///< "FLOP/s", "B/s", "IPS", "txn/s"
  bool thin = false;         ///< true: points are not compared with it
};

struct RooflineChart {
  std::string device;
  std::string kind;                 ///< kind of device: "gpu", "host"
  Model model;                      ///< the precision's model: its peak, unit, and axis titles
  std::vector<Roof> roofs;          ///< bandwidths, fastest first, then the peak and lower roofs
  std::vector<std::string> levels;  ///< levels with points, nearest first
  std::vector<Step> steps;
  bool in_order = true;                          ///< true: lines connect consecutive steps
  std::string hollow = "analytic, not counted";  ///< explains hollow marks
  std::vector<std::string> notes;                ///< steps that are not drawn, with reasons
  Range intensity;                               ///< axis range in whole decades, FLOP/B
  Range flop_per_s;                              ///< ends at 1, 2 or 5 times powers of ten

  /// The model's peak: the highest roof.
  const Roof& top() const;
  double peak() const { return top().measured; }
  bool any_theoretical() const;
};

/// The unit of the horizontal axis: "FLOP/B", or "inst/txn" for instructions.
std::string intensity_unit(const Model& model);

/// Makes the chart of one precision. A step above a roof by more than `tolerance` was measured
/// wrongly: it is noted and not drawn, and likewise a point of another precision. Empty if no step
/// is left, the device has no model of the precision, or its peak or every bandwidth is missing.
std::optional<RooflineChart> make_chart(const Ceilings& ceilings, const std::vector<Step>& steps,
                                        const std::string& precision = "fp64");

/// A level's name for people: that of its roof if there is one, "L1" or "HBM".
std::string level_label(const RooflineChart& chart, const std::string& level);

/// The hierarchical roofline: measured and theoretical roofs, and walls; one mark
/// per step and level, hollow if computed; lines between consecutive steps.
Chart make_roofline(const RooflineChart& from, const std::string& name,
                    const std::string& subtitle);

/// A column per step with its measured time, and marks at the times that each level's traffic and
/// the arithmetic need. It also suits steps that change the number of operations, where FLOP/s may
/// fall while the work gets faster.
Chart make_times(const RooflineChart& from, const std::string& name, const std::string& subtitle);

/// The time plane: each step by the time of its arithmetic and of its bytes at the outermost level,
/// DRAM if anything moved there. Empty if no step has both.
///
/// A step's filled mark is its complexity: the times that its operations and bytes need at the
/// machine's roofs, operations over peak and bytes over bandwidth. Its open mark has the same
/// intensity, and the longer of its two times is the measured time T. The distance between both
/// marks is the unused part of the roof.
std::optional<Chart> make_plane(const RooflineChart& from, const std::string& name,
                                const std::string& subtitle);

/// Draws the roofline of steps in 78 columns of characters: roofs, and a marker with the step's
/// number for each level, with a ~ if it was computed, not counted. Steps in one place share a
/// marker. `what` names the program.
std::string terminal_roofline(const RooflineChart& chart, const std::string& what);

/// A table of a device's roofs. Columns: measured, theoretical, ratio, and clock. With
/// `with_definitions`, a column has the definitions; otherwise they are tooltips.
Table roofs_table(const Ceilings& ceilings, bool with_definitions);

/// The wall nearest to a point on a logarithmic axis.
struct NearestWall {
  Wall wall;
  double ratio = 1;  ///< the point's intensity relative to the wall's
};

/// Empty if the model has no walls or the point has no traffic at their level.
std::optional<NearestWall> nearest_wall(const RooflinePoint& point, const Model& model);

/// A line of the table.
struct InstructionRow {
  std::string name;  ///< "v7"
  const Metrics& metrics;
  double seconds;                            ///< the work's time without a profiler
  const std::vector<RooflinePoint>& points;  ///< points by instruction model
};

/// The columns of a row except its name. Titles of levels begin with `before_levels`.
std::vector<ColumnOf<InstructionRow>> instruction_columns(const std::string& before_levels = "");

}  // namespace roofline
