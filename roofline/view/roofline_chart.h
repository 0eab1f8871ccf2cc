// Steps under the roofs of one machine: the content of a hierarchical roofline, in FLOP/B and
// FLOP/s. device_charts.h makes charts of it, terminal_chart.h draws it in characters.
//
// Sources (docs/sources.md): Yang 2019 for one point per memory level, arrows between versions, and
// the ceiling of an FMA mix; Lu and Wolfe 2022 for measured beside theoretical roofs.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "roofline/ceilings.h"
#include "roofline/model.h"
#include "roofline/view/axes.h"

namespace roofline {

/// A piece of work under its roofs, with a name for its label: "v7".
struct Step {
  std::string label;
  RooflinePoint point;
  std::optional<std::size_t> launches = {};  ///< number of kernel launches; empty: unknown
  std::string title = {};                    ///< longer name: "v7 reciprocal"
  HoverFacts facts = {};                     ///< additional lines of its hover texts
  bool part = false;                         ///< true for a kernel of another step
};

/// A straight line in log-log scale from (x0, y0) to (x1, y1), in FLOP/B and FLOP/s.
struct Segment {
  double x0 = 0, y0 = 0, x1 = 0, y1 = 0;
};

/// A ceiling prepared for drawing.
struct Roof {
  std::string name;   ///< name of the ceiling
  std::string label;  ///< label for people: "FP64, FMA"
  CeilingKind kind = CeilingKind::compute;
  bool thin = false;    ///< true: points are not compared with it
  double measured = 0;  ///< measured value in `unit`
  std::optional<double> theoretical;
  std::string unit = "B/s";  ///< "FLOP/s", "B/s", "IPS", "txn/s"
  double clock_mhz = 0;      ///< clock in the measurement; 0: unknown
};

/// A wall: a vertical line up to its level's roof.
struct WallLine {
  std::string name;
  std::string label;  ///< label for people: "unit stride, 8 B"
  double intensity = 0;
  double top = 0;  ///< where it meets the roof
};

/// Steps whose FMA mix ceilings agree within 2%.
struct MixRoof {
  std::vector<std::size_t> steps;  ///< indices in RooflineChart::steps
  double value = 0;                ///< FLOP/s of the first step
};

struct RooflineChart {
  std::string device;
  std::string kind;                 ///< kind of device: "gpu", "host"
  Model model;                      ///< the precision's model: its peak, unit, and axis titles
  std::vector<Roof> roofs;          ///< bandwidths, nearest level first, then compute roofs
  std::vector<std::string> levels;  ///< levels with points, nearest first
  std::vector<Step> steps;
  bool in_order = true;                          ///< true: arrows connect consecutive steps
  std::string hollow = "analytic, not counted";  ///< explains hollow marks
  std::vector<MixRoof> mixes;                    ///< mix ceilings, lowest first
  std::vector<WallLine> walls;                   ///< walls of instructions, largest intensity first
  std::vector<std::string> notes;                ///< steps that are not drawn, with reasons
  Range intensity;                               ///< axis range in whole decades
  Range flop_per_s;                              ///< ends at 1, 2 or 5 times powers of ten
  std::optional<LaunchCost> launch = {};         ///< launch cost on this device

  /// The model's measured peak, FLOP/s: the highest roof.
  double peak() const;
  bool any_analytic() const;
  bool any_counted() const;
  /// True if inactive lanes are known in some step, for instructions.
  bool any_active() const;
  bool any_theoretical() const;
};

/// The height of a step's markers: the rate; for instructions, without those predicated off.
double height_of(const RooflinePoint& point);

/// The unit of the horizontal axis: "FLOP/B", or "inst/txn" for instructions.
std::string intensity_unit(const Model& model);

/// Makes the chart of one precision. A step above a roof by more than `tolerance` was measured
/// wrongly: it is noted and not drawn, and likewise a point of another precision. Empty if no step
/// is left, the device has no model of the precision, or its peak or every bandwidth is missing.
std::optional<RooflineChart> make_chart(const Ceilings& ceilings, const std::vector<Step>& steps,
                                        const std::string& precision = "fp64");

/// The visible part of a roof: a bandwidth from the axes up to the peak, a compute roof from the
/// steepest bandwidth to the right. `theoretical` selects theoretical instead of measured values.
/// Empty if the roof is outside of the axes, or its value is unknown.
std::optional<Segment> visible_part(const RooflineChart& chart, const Roof& roof,
                                    bool theoretical = false);

/// A level's usual name, "L1" or "DRAM", or its ceiling's label if known.
std::string level_label(const RooflineChart& chart, const std::string& level);

}  // namespace roofline
