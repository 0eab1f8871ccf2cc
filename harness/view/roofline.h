// Shows the variants' positions under their roofs.
#pragma once

#include <string>
#include <vector>

#include "harness/record/record.h"
#include "roofline/view/table.h"

namespace gpp {

/// A point of a result; it has one per precision.
struct PlacedResult {
  const Result* result = nullptr;
  const roofline::RooflinePoint* point = nullptr;
};

/// All shown points of a result; none if it was not timed.
std::vector<PlacedResult> places_of(const Result& result);

/// A row for each point: speed, shares of peak and roof, limit, intensities, the pipe, stalls.
/// Columns without values are left out.
roofline::ViewTable places_table(const std::vector<PlacedResult>& places);

/// One of a result's several kernels.
struct KernelRow {
  const Result* result = nullptr;
  const roofline::KernelProfile* kernel = nullptr;
  std::string name;
};

/// The kernels of a timed result; none if one kernel takes all the time.
std::vector<KernelRow> kernels_of(const Result& result);

/// A row for each kernel: its part of the time, and its roofline point.
roofline::ViewTable kernels_table(const std::vector<KernelRow>& kernels);

/// A speed in "FLOP/s", or in "OP/s" for integers.
roofline::TableCell speed_cell(const Result& result, const roofline::RooflinePoint& point);

/// The terminal's text: the points of all variants with legends; then machine code, kernels,
/// instructions, a profiler's metrics, and advice. Empty if nothing is known.
std::string roofline_text(const StudyRecord& study, bool colours);

}  // namespace gpp
