// From counts to points: one for each precision with counted work, never a sum over different
// roofs.
#pragma once

#include <vector>

#include "roofline/counting.h"
#include "roofline/metrics.h"
#include "roofline/model.h"

namespace roofline {

/// Where a piece of work stands, by precision.
struct RooflinePoints {
  std::vector<RooflinePoint> points;  ///< as most_work_first orders them
  /// Precisions that did work and have no point, by name, and why.
  std::vector<Missing> missing;

  /// The point with the most operations, or nullptr.
  const RooflinePoint* leading() const { return points.empty() ? nullptr : &points.front(); }
};

/// Smaller shares of the operations are kept and not drawn. Where machine code is not at hand,
/// loads of constants by HFMA2 are among them.
inline constexpr double least_share_shown = 0.05;
inline bool is_shown(const RooflinePoint& point) { return point.share >= least_share_shown; }

/// Places the work of every precision of the device's models. Each point's `share` is that of its
/// operations among those of all precisions. Levels whose bytes hardware should have counted and
/// did not are named among a point's defects. `seconds` is the unprofiled time of the work.
RooflinePoints roofline_points(const Counted& counted, double seconds, const Ceilings& ceilings);
RooflinePoints roofline_points(const Metrics& metrics, double seconds, CountedBy source,
                               const Ceilings& ceilings);

/// Work without any operation that was counted or stated: its point by the bytes it moves, one at
/// most. Empty where it does any operation, or the device has no such model.
RooflinePoints movement_points(const Counted& counted, double seconds, const Ceilings& ceilings);

/// The points of instructions: one for each of the device's instruction models. Empty where it has
/// none, or nothing was counted. Metrics that were not counted have their reason in `missing`, by
/// the name of the model.
RooflinePoints instruction_points(const Metrics& metrics, double seconds, CountedBy source,
                                  const Ceilings& ceilings);

}  // namespace roofline
