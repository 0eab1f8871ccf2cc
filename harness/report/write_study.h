// Writing all files of a measured study into its folder.
#pragma once

#include "harness/measure/measure.h"
#include "harness/report/results_folder.h"
#include "roofline/view/chart_files.h"

namespace gpp {

/// Writes the record into the folder and puts it in place; an interrupted study stays where it was
/// written, marked partial. The record says that it is complete when it lies where it belongs.
/// Throws InputError where it cannot be written.
void write_record_of(ResultsFolder& folder, const Measured& measured);

/// The record with all that is drawn from it: table, summary, charts, report. The record is in its
/// place and complete before any of these is written. Returns what became of the charts.
roofline::WrittenCharts write_study(ResultsFolder& folder, const Measured& measured);

}  // namespace gpp
