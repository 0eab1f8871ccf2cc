// Tables on the scaling of a calculation over ranks.
#pragma once

#include <string>

#include "harness/record/record.h"
#include "roofline/base/table.h"

namespace gpp {

/// A row per rank: host, device, share of the work, measured and predicted memory, busy time.
roofline::Table ranks_table(const ScalingRecord& scaling);

/// A row per step of the ring: means over all ranks.
roofline::Table ring_table(const ScalingRecord& scaling);

/// Times by number of ranks, with the same work (`strong`) or with one state per rank.
roofline::Table scaling_table(const std::vector<ScalingPoint>& points, bool strong);

/// All tables of scaling for the terminal, with bars of efficiency. Empty without scaling results.
std::string scaling_text(const StudyRecord& study);

}  // namespace gpp
