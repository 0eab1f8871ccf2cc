// A hand-made roofline like that of a ladder on a large GPU.
#pragma once

#include "roofline/points.h"
#include "roofline/view/roofline_chart.h"

namespace roofline::test {

/// Roofs like an H200's, measured and theoretical.
Ceilings large_gpu();

/// Roofs like a server processor's; l1, l2 and dram.
Ceilings processor();

/// Twelve steps, v1 to v12, counted at three levels: crowded, with a reversal and a long way.
std::vector<Step> ladder();

/// A similar ladder on the processor: computed, DRAM only.
std::vector<Step> analytic_ladder();

/// Both ladders below their roofs.
RooflineChart gpu_chart();
RooflineChart host_chart();

inline bool overlap(const Box& one, const Box& other) {
  return one.left < other.right && other.left < one.right && one.bottom < other.top &&
         other.bottom < one.top;
}

}  // namespace roofline::test
