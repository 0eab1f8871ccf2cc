// The panels of the report, step by step: what a variant took and used, and what explains it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/view/rows.h"

namespace gpp {

/// Time and use of a variant: a row for each machine and model that timed it. The page turns the
/// table: columns become its lines. Columns in which no row says anything are there, too.
roofline::ViewTable step_table(const ShownResults& shown, const std::string& variant);

/// The counters of a row against those of the step before it: "before", "after", "change". Rows of
/// those that explain the change of time come first, with the tone "good". Empty where there is no
/// step before, or the two have no counter in common.
std::optional<roofline::ViewTable> explanation_table(const ShownResults& shown,
                                                     const ShownRow& row);

/// The counter that accounts for most of the change of time from one result of a study to another,
/// where it accounts for half of it or more: "the loop became vector code (scalar instructions 100%
/// to 12%)", "DRAM bytes fell from 8 GB to 2 GB". Empty where there is none.
std::string explained_by(const StudyRecord& study, const Result& before, const Result& after);

/// Cells that several tables have.
roofline::TableCell registers_cell(const ShownRow& row);  ///< of all large launches
roofline::TableCell occupancy_cell(const ShownRow& row);  ///< the same, in percent
roofline::TableCell error_cell(const ShownRow& row);      ///< the largest relative error

/// How it is decided which counters explain a step, for people.
const char* explanation_rule();

}  // namespace gpp
