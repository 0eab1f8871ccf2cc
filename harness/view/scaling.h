// How a calculation scaled over ranks, as tables.
#pragma once

#include <string>

#include "harness/record/record.h"
#include "roofline/view/table.h"

namespace gpp {

/// Each rank: host, device, its share of the work, memory as measured and predicted, time busy.
roofline::ViewTable ranks_table(const ScalingRecord& scaling);

/// Each step of the ring: means of all ranks.
roofline::ViewTable ring_table(const ScalingRecord& scaling);

/// Times over numbers of ranks: the same work (`strong`), or a state more for every rank more.
roofline::ViewTable scaling_table(const std::vector<ScalingPoint>& points, bool strong);

/// All of these for the terminal, with bars of efficiency. Empty where nothing was scaled.
std::string scaling_text(const StudyRecord& study);

}  // namespace gpp
