// Steps as rungs: one for each step and series, as high as its value, on a logarithmic axis.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "roofline/charts/gnuplot.h"

namespace gpp {

struct Rung {
  std::size_t position;  ///< index of the step
  double value;          ///< above 0
  std::string label;     ///< drawn beside it; without commas
};

/// What one machine did, or what was published. Neighbouring steps are joined.
struct RungSeries {
  std::string title;
  std::string colour;
  std::vector<Rung> rungs;  ///< in the order of the steps
  bool labelled = true;

  double highest() const;
};

struct RungChart {
  std::string name;  ///< of its files
  std::string title;
  std::string subtitle;
  std::string value;    ///< column of the table: "terms_per_s"
  std::string unit;     ///< of the axis; "x" of ratios
  std::string meaning;  ///< of rungs, risers and labels, for the script's comment
  std::vector<std::vector<std::string>> steps;  ///< the lines below each
  bool gaps_part = false;          ///< rungs on both sides of a missing one are not joined
  std::vector<RungSeries> series;  ///< the first on top
};

roofline::Drawing draw_rungs(const RungChart& chart);

}  // namespace gpp
