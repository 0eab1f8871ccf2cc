// Writing all files of a measured study into its folder.
#pragma once

#include <string>

#include "harness/measure/measure.h"
#include "harness/measure/results_folder.h"
#include "roofline/view/chart_files.h"
#include "roofline/view/terminal_chart.h"

namespace gpp {

/// Everything: the summary, the variants drawn under their roofs, and doubts.
std::string in_full(const StudyRecord& study, bool colours, const roofline::TextStyle& style);

/// The record with all that is drawn from it: table, summary, charts, report. The record is in its
/// place and complete before any chart is written, and with table and summary. Returns what became
/// of the charts.
roofline::WrittenCharts write_study(ResultsFolder& folder, const Measured& measured);

}  // namespace gpp
