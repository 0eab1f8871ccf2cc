// The hierarchical roofline as text, for the end of a study.
#pragma once

#include <string>

#include "roofline/charts/chart.h"
#include "roofline/points.h"

namespace roofline {

/// How text may look.
struct TextStyle {
  bool colours = false;
  bool unicode = false;  ///< else ASCII alone
};

/// The abilities of standard output: colours as colours_wanted(), Unicode where the locale is
/// UTF-8.
TextStyle terminal_style();

/// Draws the chart in 78 columns, log-log. A marker per step and level with the number of the step:
/// filled where hardware counted, hollow (in ASCII: with a ~) where it is analytic. Steps in one
/// place share a marker. `what` names what ran.
std::string terminal_roofline(const RooflineChart& chart, const std::string& what,
                              const TextStyle& style = terminal_style());

/// Draws a chart for each precision that a piece of work has a point of, and names the precisions
/// that have none, and why. `name` stands beside the markers.
std::string terminal_rooflines(const Ceilings& ceilings, const RooflinePoints& placed,
                               const std::string& name, const TextStyle& style = terminal_style());

}  // namespace roofline
