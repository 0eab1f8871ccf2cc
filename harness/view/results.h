// Studies as tables for the report: results, places under the roofs, and what the record says.
#pragma once

#include <string>
#include <vector>

#include "harness/view/rows.h"

namespace gpp {

/// Every row that passed and was timed: time, speed, speedup, what it took.
roofline::ViewTable results_table(const ShownResults& shown);

/// The rows of results under their roofs: rate, share of the roof, verdict, intensities.
roofline::ViewTable places_table(const ShownResults& shown);

/// The instructions of these rows; empty rows where none were counted.
roofline::ViewTable instructions_table(const ShownResults& shown);

/// The ceilings of a device: measured, theoretical, their ratio, the clock meanwhile.
roofline::ViewTable roofs_table(const roofline::Ceilings& ceilings, bool with_definitions = false);

/// The metrics that some row has: unit, meaning, formula.
roofline::ViewTable metrics_table(const ShownResults& shown);

/// Variants that did not run: a row for each reason.
roofline::ViewTable unavailable_table(const std::vector<NamedStudy>& studies);

/// Facts that vouch for a study's numbers: machine, compilers, input, source. Two columns.
roofline::ViewTable record_table(const NamedStudy& named);

/// "Others took more than 5% of the processor while these were timed, ..."; empty where they did
/// not.
std::string disturbed_sentence(const ShownResults& shown);

}  // namespace gpp
