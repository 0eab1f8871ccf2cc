// Converts counts to points: one per precision with counted work, never a sum over different roofs.
#pragma once

#include <vector>

#include "roofline/counting.h"
#include "roofline/metrics.h"
#include "roofline/model.h"

namespace roofline {

/// The points of a piece of work, by precision.
struct RooflinePoints {
  std::vector<RooflinePoint> points;  ///< most operations first
  /// Precisions that have work but no point, with reasons.
  std::vector<Missing> missing;

  /// The point with the most operations, or nullptr.
  const RooflinePoint* leading() const { return points.empty() ? nullptr : &points.front(); }
};

/// Points with a smaller share of the operations are stored but not drawn. Without machine code,
/// they may be loads of constants by HFMA2.
inline constexpr double least_share_shown = 0.05;
inline bool is_shown(const RooflinePoint& point) { return point.share >= least_share_shown; }

/// Computes the points for each precision of the device's models that has work. `seconds` is the
/// work's time without a profiler. A level that moved no bytes has no intensity and is left out, as
/// is one beside the hierarchy that moved next to nothing, and one whose roof the ceilings name as
/// missing. There is no point where the measured ceiling of the peak or of a level is missing, or
/// where no level moved anything.
///
/// A point's `defects` are the violations of:
///   - no roof is exceeded, including the FMA mix's, so no level needs longer than the run;
///   - l1 moves at least as much as l2, and l2 at least as much as dram, so intensities ascend.
///     Shared memory is exempt;
///   - hardware counted the bytes of all levels.
RooflinePoints roofline_points(const Counted& counted, double seconds, const Ceilings& ceilings);
RooflinePoints roofline_points(const Metrics& metrics, double seconds, CountedBy source,
                               const Ceilings& ceilings);

/// The point of work without any counted or stated operation, by the bytes that it moves; at most
/// one. Empty if it has operations, or the device has no such model.
RooflinePoints movement_points(const Counted& counted, double seconds, const Ceilings& ceilings);

/// The points of instructions, one per instruction model of the device. Empty without models or
/// counts. For uncounted metrics, `missing` has the reason by the name of the model.
RooflinePoints instruction_points(const Metrics& metrics, double seconds, CountedBy source,
                                  const Ceilings& ceilings);

}  // namespace roofline
