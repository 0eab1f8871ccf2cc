// The report's panels, one per step: times, resources, and explanations.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/view/rows.h"

namespace gpp {

/// Times and resources of a variant, with a row for each machine and model that timed it. The page
/// transposes the table. Empty columns are kept.
roofline::ViewTable step_table(const ShownResults& shown, const std::string& variant);

/// The counters of a row and of the previous step's row: "before", "after", "change". Counters that
/// explain the change of time come first, with the tone "good". Empty without a previous step or
/// common counters.
std::optional<roofline::ViewTable> explanation_table(const ShownResults& shown,
                                                     const ShownRow& row);

/// The counter that explains most of the change of time between two results of a study, if it
/// explains at least half: "the loop became vector code (scalar instructions 100% to 12%)", "DRAM
/// bytes fell from 8 GB to 2 GB". Else empty.
std::string explained_by(const StudyRecord& study, const Result& before, const Result& after);

/// Cells that several tables share.
roofline::TableCell registers_cell(const ShownRow& row);  ///< registers of all large launches
roofline::TableCell occupancy_cell(const ShownRow& row);  ///< percent occupancy, all large launches
roofline::TableCell error_cell(const ShownRow& row);      ///< a result's largest relative error

/// Describes the rule by which counters explain a step.
const char* explanation_rule();

}  // namespace gpp
