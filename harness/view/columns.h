// The tables on variants, for terminals, CSV and pages: each column is defined once (columns.cpp).
#pragma once

#include <string>
#include <vector>

#include "harness/record/advice.h"
#include "harness/view/rows.h"

namespace gpp {

/// A table of rows of the studies with these columns (columns.cpp), in this order. Columns in which
/// no row has a value are left out, as are rows with nothing but their names. Failed rows have the
/// tone "bad".
roofline::Table table_of(const ShownResults& shown, const std::vector<ShownRow>& rows,
                         const std::vector<std::string>& names, const std::string& name,
                         const std::string& caption);

/// All passed and timed rows: time, speed, speedup, resources.
roofline::Table results_table(const ShownResults& shown);

/// Every variant under its roofs: a row for each shown precision, with speed, shares of peak and
/// roof, limit, intensities, the pipe, stalls.
roofline::Table places_table(const ShownResults& shown);

/// The variants whose instructions were counted.
roofline::Table instructions_table(const ShownResults& shown);

/// Limits, what to examine, and the ladder's steps that act on them.
std::vector<std::string> advice_sentences(const LinkedAdvice& advice);

}  // namespace gpp
