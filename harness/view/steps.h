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

/// The counter that accounts for most of a step's change of time, where it accounts for half of it
/// or more: "the loop became vector code (scalar instructions 100% to 12%)", "DRAM bytes fell from
/// 8 GB to 2 GB". Empty where there is none.
std::string explained_by(const ShownResults& shown, const ShownRow& row);

/// Cells that several tables have.
roofline::TableCell registers_cell(const ShownRow& row);  ///< of all large launches
roofline::TableCell occupancy_cell(const ShownRow& row);  ///< the same, in percent
roofline::TableCell error_cell(const ShownRow& row);      ///< the largest relative error
roofline::TableCell rate_cell(const ShownRow& row);       ///< operations or bytes per second
/// The verdict: "DRAM", "latency"; with its evidence: "latency (long_scoreboard 4.69 per issue)".
roofline::TableCell held_back_cell(const ShownRow& row, bool with_evidence);

/// How it is decided which counters explain a step, for people.
const char* explanation_rule();

/// The fastest variant of a machine and model, in large.
struct Headline {
  std::string series;              ///< ShownRow::series()
  std::string label;               ///< "NVIDIA H200, cuda"
  std::string time;                ///< "1.234 ms"
  std::string what;                ///< "v9, 1.01e+12 terms/s"
  std::vector<std::string> facts;  ///< "2.47x over v1", "34.0% of its roof", "9 of 9 passed"
};
std::vector<Headline> headlines(const ShownResults& shown);

}  // namespace gpp
