// The hierarchical roofline: the position of a piece of work under its device's roofs.
//
// Each memory level has its own roof, min(peak, intensity * bandwidth), at the intensity with which
// the work uses that level. The lowest of these is the work's roof, and percent_of_roof is the
// share of it that was reached. In terms of time: arithmetic and each level need a minimum time;
// all may overlap, so the longest one limits the run, and percent_of_roof is its share of the run.
// Times remain comparable between steps with different FLOP counts.
//
// Counts become points: one per precision with counted work, never a sum over different roofs. Each
// precision has its own model (roofline/models/) and peak, that of fused multiply-adds. Work
// with a share alpha of FMA instructions can reach only peak * (1 + alpha) / 2, which is reported
// too.
//
// Work without operations has its own model (Model::moves), where "FLOP" means the DRAM bytes that
// it moves. It needs no time for arithmetic.
//
// Instruction models have the same form: warp instructions are the work, and transactions of 32 or
// 128 B (Level::bytes_each) the traffic. So "FLOP" and "bytes" below mean instructions and
// transactions for these models. Source: Ding and Williams 2019.
//
// Sources (docs/sources.md): Williams et al. 2009 for the model; Yang 2019 for roofs by level and
// the peak without FMA, half of that with; Yang 2020 for the "customised" peak of an FMA mix; Wang
// et al. 2020 for the time-based view.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "roofline/ceilings.h"
#include "roofline/counting.h"
#include "roofline/metrics.h"
#include "roofline/models/model_table.h"

namespace roofline {

/// A point's data for one memory level.
struct LevelPoint {
  std::string level;
  double bytes = 0;
  double intensity = 0;   ///< FLOP/B
  double attainable = 0;  ///< FLOP/s: min(peak, intensity * bandwidth)
  double percent = 0;     ///< achieved percentage of `attainable`
  double seconds = 0;     ///< minimum time for this level: bytes / bandwidth
};

/// The point of one precision of a piece of work.
struct RooflinePoint {
  std::string precision = "fp64";  ///< name of the point's model
  double share = 1;                ///< 0..1: share of all counted operations of any precision
  double flop = 0;                 ///< operations of this precision
  double seconds = 0;
  double flop_per_s = 0;
  /// For instructions: the rate of those not predicated off, at most flop_per_s.
  std::optional<double> active_per_s = {};
  bool analytic = false;
  std::vector<LevelPoint> levels;         ///< memory levels, nearest first
  double compute_seconds = 0;             ///< minimum time for arithmetic: flop / peak
  double percent_of_peak = 0;             ///< percentage of the model's peak
  std::optional<double> fma_mix_ceiling;  ///< FLOP/s: peak * (1 + alpha) / 2
  double percent_of_roof = 0;             ///< percent of the lowest attainable rate of all levels
  std::string bound_by;                   ///< the level with the longest time, or "compute"
  std::vector<std::string> defects;       ///< violated invariants, in words; empty if none

  /// The point's data at a level; nullptr without traffic there.
  const LevelPoint* find_level(std::string_view level) const;
};

/// FLOP/B at a level; empty without a point or traffic there.
std::optional<double> intensity_at(const RooflinePoint* point, std::string_view level);

/// A point may exceed a roof, and a level the one before it, by this without being a defect. Roofs
/// and runs are measured one after another with clocks that differ by up to 5%, and counters of
/// different levels may come from different passes.
inline constexpr double tolerance = 0.05;

/// A level outside the path from DRAM to the registers (shared memory) is shown only if its bytes
/// need at least this share of the run. Less traffic, as from block sums, is irrelevant.
inline constexpr double least_share_beside = 0.01;

/// The unit of a ceiling: "FLOP/s", "B/s", "OP/s" for integer operations, "IPS" for instructions,
/// or "div/s" for divisions.
std::string rate_unit(const Ceiling& ceiling);

/// The model of a precision for a kind of device ("gpu", "host"), or nullptr.
const Model* model_of(const Ceilings& ceilings, const std::string& precision);

/// True if the work has no operations, so that its moved bytes are the work.
bool only_moves(const RooflinePoint& point);

/// The maximum rate of a level's traffic in bytes, or transactions, per second. Empty if its
/// ceiling was not measured.
std::optional<double> bandwidth_of(const Ceilings& ceilings, const Level& level);

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
