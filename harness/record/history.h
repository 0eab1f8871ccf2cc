// The studies of one kernel over commits, as roofline/history.h takes them.
#pragma once

#include <string>
#include <vector>

#include "harness/record/record.h"
#include "roofline/history.h"

namespace gpp {

/// The passed results of a study by model, variant and step: the runs that count, where others did
/// not disturb them; operations and bytes, where they were counted or computed.
roofline::HistoryRecord history_record(const std::string& label, const StudyRecord& study);

}  // namespace gpp
