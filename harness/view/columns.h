// The columns of all tables on variants, each defined once: for terminals, CSV and pages.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/record/advice.h"
#include "harness/view/rows.h"

namespace gpp {

using ShownColumn = roofline::ColumnOf<ShownRow>;
using Columns = std::vector<ShownColumn>;

inline ShownColumn words(const std::string& name, const std::string& title, const std::string& note,
                         std::function<std::string(const ShownRow&)> text) {
  return {{name, title, note},
          [text](const ShownRow& row) { return roofline::TableCell{text(row)}; }};
}

inline ShownColumn number(const std::string& name, const std::string& title,
                          const std::string& note,
                          std::function<roofline::TableCell(const ShownRow&)> cell) {
  return {{name, title, note, "", roofline::Align::right}, std::move(cell)};
}

/// The columns of evidence: launches, machine code, a profiler's metrics, advice, lines.
Columns evidence_columns(const Kernel& kernel);

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

/// The kernels of variants that have several: their parts of the time and their places.
roofline::Table kernels_table(const ShownResults& shown);

/// The variants whose instructions were counted.
roofline::Table instructions_table(const ShownResults& shown);

/// Times and resources of a variant, with a row for each machine and model that timed it. The page
/// transposes the table.
roofline::Table step_table(const ShownResults& shown, const std::string& variant);

/// Advice on a row's variant or kernel.
std::optional<LinkedAdvice> advice_on(const ShownRow& row);

/// Limits, what to examine, and the ladder's steps that act on them.
std::vector<std::string> advice_sentences(const LinkedAdvice& advice);

// ---- The counters that explain a step
// ------------------------------------------------------------

/// The counters of a row and of the previous step's row: "before", "after", "change". The counter
/// that explains most of the change of time comes first, with the tone "good". Empty without a
/// previous step or common counters.
std::optional<roofline::Table> explanation_table(const ShownResults& shown, const ShownRow& row);

/// The counter that explains most of the change of time between two results of a study, if it
/// explains at least half: "DRAM bytes fell from 8 GB to 2 GB". Else empty.
std::string explained_by(const Result& before, const Result& after);

/// Describes the rule by which counters explain a step.
const char* explanation_rule();

}  // namespace gpp
