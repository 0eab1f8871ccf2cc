// The tables on variants, for terminals, CSV and pages: each column is defined once (columns.cpp).
// The tables on ladders (ladder.cpp), and on calculations over ranks (scaling.cpp).
#pragma once

#include <string>
#include <vector>

#include "harness/record/advice.h"
#include "harness/record/ladder.h"
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

// ---- Ladders

/// A table of published and measured results of each step in one model, and whether each published
/// effect holds. A run without results gives what was published.
roofline::Table ladder_table(const PublishedLadder& ladder, const LadderRun& run);

/// Remarks in words: published text, assumptions, reasons for missing numbers.
std::vector<std::string> remarks_on(const LadderRow& row);

/// A study of a ladder for the terminal: a table per model, notes, and a legend. Empty if no ladder
/// was studied.
std::string ladder_text(const StudyRecord& study, bool colours);

// ---- Calculations over ranks

/// What was calculated, in sentences.
std::string scaling_headline(const ScalingRecord& scaling);

/// A row per rank; a row per step of the ring, with means over all ranks; times by number of ranks,
/// with the same work and with one state per rank. Without the tables that the record lacks.
std::vector<roofline::Table> scaling_tables(const ScalingRecord& scaling);

/// All of it for the terminal. Empty without scaling results.
std::string scaling_text(const StudyRecord& study);

}  // namespace gpp
