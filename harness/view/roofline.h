// Where variants stand under their roofs.
#pragma once

#include <string>
#include <vector>

#include "harness/record/record.h"
#include "roofline/view/table.h"

namespace gpp {

/// A point of a result, one of a precision each.
struct PlacedResult {
  const Result* result = nullptr;
  const roofline::RooflinePoint* point = nullptr;
};

/// All that are shown of a result; none where it was not timed.
std::vector<PlacedResult> places_of(const Result& result);

/// A row for each: speed, shares of peak and roof, what binds, intensities, the pipe, stalls.
/// Columns in which no row says anything are left out.
roofline::ViewTable places_table(const std::vector<PlacedResult>& places);

/// One of several kernels of a result.
struct KernelRow {
  const Result* result = nullptr;
  const roofline::KernelProfile* kernel = nullptr;
  std::string name;
};

/// Those of a result that was timed; none where one kernel takes all of the time.
std::vector<KernelRow> kernels_of(const Result& result);

/// A row for each: its part of the time, and its place under the roofs.
roofline::ViewTable kernels_table(const std::vector<KernelRow>& kernels);

/// In "FLOP/s", or "OP/s" of whole numbers.
roofline::TableCell speed_cell(const Result& result, const roofline::RooflinePoint& point);

/// For the terminal: the places of all variants with legends; then machine code, kernels,
/// instructions, what a profiler shows, and what to look at next. Empty where nothing is known.
std::string roofline_text(const StudyRecord& study, bool colours);

}  // namespace gpp
