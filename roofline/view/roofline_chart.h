// Steps under the roofs of one machine: what a hierarchical roofline shows, in FLOP/B and FLOP/s.
// device_charts.h makes charts of it, terminal_chart.h draws it in characters.
//
// Sources (docs/sources.md): Yang 2019 for one point per level of memory, arrows from version to
// version and the ceiling of an FMA mix; Lu and Wolfe 2022 for roofs measured and theoretical side
// by side.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "roofline/ceilings.h"
#include "roofline/model.h"
#include "roofline/view/axes.h"

namespace roofline {

/// A piece of work under its roofs, with the name to write beside it: "v7".
struct Step {
  std::string label;
  RooflinePoint point;
  std::optional<std::size_t> launches = {};  ///< of kernels, for this work; empty: not known
  std::string title = {};                    ///< where there is room: "v7 reciprocal"
  HoverFacts facts = {};                     ///< more lines of its hover texts
  bool part = false;                         ///< a kernel of another step
};

/// A straight line on log-log paper: from (x0, y0) to (x1, y1), FLOP/B and FLOP/s.
struct Segment {
  double x0 = 0, y0 = 0, x1 = 0, y1 = 0;
};

/// A ceiling as it is drawn.
struct Roof {
  std::string name;   ///< of the ceiling
  std::string label;  ///< for people: "FP64, FMA"
  CeilingKind kind = CeilingKind::compute;
  bool thin = false;    ///< not one that points are measured against
  double measured = 0;  ///< in `unit`
  std::optional<double> theoretical;
  std::string unit = "B/s";  ///< "FLOP/s", "B/s", "IPS", "txn/s"
  double clock_mhz = 0;      ///< seen while measuring; 0: not known
};

/// A vertical line up to its level's roof.
struct WallLine {
  std::string name;
  std::string label;  ///< for people: "unit stride, 8 B"
  double intensity = 0;
  double top = 0;  ///< where it meets the roof
};

/// Steps that share the ceiling of their FMA mix, within 2%.
struct MixRoof {
  std::vector<std::size_t> steps;  ///< indices into RooflineChart::steps
  double value = 0;                ///< FLOP/s: of the first of them
};

struct RooflineChart {
  std::string device;
  std::string kind;                 ///< of device: "gpu", "host"
  Model model;                      ///< of the precision: its peak, its unit, titles of the axes
  std::vector<Roof> roofs;          ///< bandwidths, nearest to the arithmetic first, then compute
  std::vector<std::string> levels;  ///< that points are shown for, nearest first
  std::vector<Step> steps;
  bool in_order = true;                          ///< arrows lead from each step to the next
  std::string hollow = "analytic, not counted";  ///< what hollow marks are
  std::vector<MixRoof> mixes;                    ///< lowest first
  std::vector<WallLine> walls;                   ///< of instructions, greatest intensity first
  std::vector<std::string> notes;                ///< which steps are not drawn, and why
  Range intensity;                               ///< decades
  Range flop_per_s;                              ///< from 1, 2 or 5 times a power of ten to another
  std::optional<LaunchCost> launch = {};         ///< of a kernel of this device

  /// The model's peak as measured, FLOP/s; the highest roof.
  double peak() const;
  bool any_analytic() const;
  bool any_counted() const;
  /// Whether lanes were switched off in some step, as far as it is known: of instructions.
  bool any_active() const;
};

/// Where its markers stand on the vertical axis: the rate, of instructions without those predicated
/// off.
double height_of(const RooflinePoint& point);

/// The unit of the horizontal axis: "FLOP/B"; of instructions "inst/txn".
std::string intensity_unit(const Model& model);

/// Makes the chart of one precision. A step above a roof by more than `tolerance` is a defect of
/// its measurement: it is noted and not drawn, as is a point of another precision. Empty where no
/// step is left to draw, the device has no model of the precision, or its peak or every bandwidth
/// is missing.
std::optional<RooflineChart> make_chart(const Ceilings& ceilings, const std::vector<Step>& steps,
                                        const std::string& precision = "fp64");

/// The visible part of a roof: a bandwidth from the axes up to the peak, a compute roof from the
/// steepest bandwidth to the right. `theoretical` asks for those lines instead of the measured
/// ones. Empty where nothing lies inside the axes, or no such value is known.
std::optional<Segment> visible_part(const RooflineChart& chart, const Roof& roof,
                                    bool theoretical = false);

/// The usual name of a level: "L1", "DRAM"; a ceiling's label where that is known.
std::string level_label(const RooflineChart& chart, const std::string& level);

}  // namespace roofline
