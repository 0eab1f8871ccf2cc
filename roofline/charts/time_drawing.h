// The roofline as time: what each level and the arithmetic need at least, beside what was taken.
//
// It survives steps that change the number of operations, where FLOP/s can fall while the work gets
// done sooner. Source: Wang et al. 2020.
#pragma once

#include <string>

#include "roofline/charts/chart.h"
#include "roofline/charts/gnuplot.h"

namespace roofline {

/// Draws a column per step, as high as the time it took, with a marker where each level's traffic
/// and the arithmetic would let it be; hollow where analytic. Below stand what bounds the step and
/// how much of that roof it reaches.
Drawing draw_times(const RooflineChart& chart, const std::string& name,
                   const std::string& subtitle);

}  // namespace roofline
