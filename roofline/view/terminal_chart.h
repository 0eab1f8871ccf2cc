// Rooflines as text, for the end of a study.
#pragma once

#include <string>

#include "roofline/points.h"
#include "roofline/view/roofline_chart.h"

namespace roofline {

/// How text may look.
struct TextStyle {
  bool colours = false;
  bool unicode = false;  ///< else ASCII alone
};

/// The abilities of standard output: colours as colours_wanted(), Unicode where the locale is
/// UTF-8.
TextStyle terminal_style();

/// Draws a chart with logarithmic axes in 78 columns: its roofs, and a marker for each
/// mark with the number of its step, filled where hardware counted, hollow (in ASCII: with a ~)
/// where it is analytic. Steps in one place share a marker.
std::string terminal_text(const Chart& chart, const std::string& headline, const TextStyle& style);

/// The roofline of steps; `what` names what ran.
std::string terminal_roofline(const RooflineChart& chart, const std::string& what,
                              const TextStyle& style = terminal_style());

/// Draws a chart for each precision that a piece of work has a point of, and names the precisions
/// that have none, and why. `name` stands beside the markers.
std::string terminal_rooflines(const Ceilings& ceilings, const RooflinePoints& placed,
                               const std::string& name, const TextStyle& style = terminal_style());

}  // namespace roofline
