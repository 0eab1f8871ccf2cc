// Converts counts to points: one per precision with counted work, never a sum over different roofs.
#pragma once

#include <vector>

#include "roofline/counting.h"
#include "roofline/metrics.h"
#include "roofline/model.h"

namespace roofline {

/// The points of a piece of work, by precision.
struct RooflinePoints {
  std::vector<RooflinePoint> points;  ///< sorted by most_work_first
  /// Precisions that have work but no point, with reasons.
  std::vector<Missing> missing;

  /// The point with the most operations, or nullptr.
  const RooflinePoint* leading() const { return points.empty() ? nullptr : &points.front(); }
};

/// Points with a smaller share of the operations are stored but not drawn. Without machine code,
/// they may be loads of constants by HFMA2.
inline constexpr double least_share_shown = 0.05;
inline bool is_shown(const RooflinePoint& point) { return point.share >= least_share_shown; }

/// Computes the points for each precision of the device's models. A point's `share` is its part of
/// the operations of all precisions. Levels whose bytes hardware should have counted but did not
/// are defects of the point. `seconds` is the work's time without a profiler.
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
