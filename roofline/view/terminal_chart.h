// Draws rooflines as text at the end of a study.
#pragma once

#include <string>

#include "roofline/points.h"
#include "roofline/view/roofline_chart.h"

namespace roofline {

/// The style of text output.
struct TextStyle {
  bool colours = false;
  bool unicode = false;  ///< false allows only ASCII
};

/// The style for standard output: colours by colours_wanted(), Unicode if the locale is UTF-8.
TextStyle terminal_style();

/// Draws a chart with logarithmic axes in 78 columns: its roofs, and a marker with the step's
/// number for each mark, filled if hardware counted it, hollow (in ASCII: with a ~) if computed.
/// Steps in one place share a marker.
std::string terminal_text(const Chart& chart, const std::string& headline, const TextStyle& style);

/// Draws the roofline of steps; `what` names the program.
std::string terminal_roofline(const RooflineChart& chart, const std::string& what,
                              const TextStyle& style = terminal_style());

/// Draws a chart for each precision in which the work has a point, and names other precisions with
/// reasons. `name` is the label of the markers.
std::string terminal_rooflines(const Ceilings& ceilings, const RooflinePoints& placed,
                               const std::string& name, const TextStyle& style = terminal_style());

}  // namespace roofline
