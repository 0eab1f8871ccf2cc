// The charts of any work under roofs: the hierarchical roofline, required and measured times, and
// the time plane.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "roofline/view/roofline_chart.h"

namespace roofline {

/// The hierarchical roofline: measured and theoretical roofs, walls and FMA mix ceilings; one mark
/// per step and level, hollow if computed; arrows between consecutive steps. Sources
/// (docs/sources.md): Yang 2019; Lu and Wolfe 2022; Ding and Williams 2019 for instructions.
Chart make_roofline(const RooflineChart& from, const std::string& name,
                    const std::string& subtitle);

/// A column per step with its measured time, and marks at the times that each level's traffic and
/// the arithmetic need. It also suits steps that change the number of operations, where FLOP/s may
/// fall while the work gets faster. Source: Wang et al. 2020.
Chart make_times(const RooflineChart& from, const std::string& name, const std::string& subtitle);

/// The default level of the plane: DRAM, or else the outermost level.
std::string plane_level(const RooflineChart& chart);

/// The time plane: each step by the time of its arithmetic and of its bytes at one level. Empty if
/// no step moved bytes at that level.
///
/// A step's filled mark is its complexity: the times that its operations and bytes need at the
/// machine's roofs, operations over peak and bytes over bandwidth. Its open mark has the same
/// intensity, and the longer of its two times is the measured time T. With the balance B = peak /
/// bandwidth and an intensity AI of at least B, the compute time is T and the bandwidth time T B /
/// AI; otherwise the bandwidth time is T and the compute time T AI / B. The distance between both
/// marks is the unused part of the roof. A point inside the box of the time of launches alone shows
/// nothing. Source: Wang et al. 2020.
std::optional<Chart> make_plane(const RooflineChart& from, const std::string& level,
                                const std::string& name, const std::string& subtitle);

}  // namespace roofline
