// Putting a measured study's record where it belongs.
#pragma once

#include <string>

#include "harness/measure/measure.h"
#include "harness/report/results_folder.h"

namespace gpp {

/// Writes it into the folder and puts it in place; an interrupted study stays where it was written,
/// marked partial. The record says that it is complete when it lies where it belongs. Throws
/// InputError where it cannot be written.
void keep_record(ResultsFolder& folder, const Measured& measured);

/// The same with all that is drawn from it: table, summary, charts, report. Returns what became of
/// the charts.
std::string keep_study(ResultsFolder& folder, const Measured& measured);

}  // namespace gpp
