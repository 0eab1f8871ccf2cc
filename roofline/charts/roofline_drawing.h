// The hierarchical roofline as gnuplot draws it.
#pragma once

#include <string>

#include "roofline/charts/chart.h"
#include "roofline/charts/gnuplot.h"

namespace roofline {

/// Draws the chart: roofs in the colours of their levels, labelled with their values; one marker
/// per step and level, hollow where it is analytic; arrows from step to step. `subtitle` says what
/// ran.
Drawing draw_roofline(const RooflineChart& chart, const std::string& name,
                      const std::string& subtitle);

}  // namespace roofline
