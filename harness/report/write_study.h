// Writes all files of a measured study into its folder.
#pragma once

#include <string>

#include "harness/command/results_folder.h"
#include "harness/measure/measure.h"
#include "roofline/view/chart_files.h"

namespace gpp {

/// The full text: the summary, the variants drawn under their roofs, and doubts.
std::string in_full(const StudyRecord& study, bool colours);

/// Writes the record with everything drawn from it: table, summary, charts, report. Record, table
/// and summary are complete before the first chart is written. Returns the result for the charts.
roofline::WrittenCharts write_study(ResultsFolder& folder, const Measured& measured);

}  // namespace gpp
