// The hierarchical roofline: where a piece of work stands under the roofs of its device.
//
// Each level of memory has a roof of its own, min(peak, intensity * bandwidth), at the intensity
// with which the work uses that level. The work must stay below all of them, so the lowest is its
// roof: percent_of_roof is the share of it that was reached. The same in seconds: arithmetic and
// every level need a time of their own at least; all may overlap, so the longest bounds the run,
// and percent_of_roof is the share of the run that the longest takes. Seconds can be compared where
// two steps differ in their FLOPs.
//
// Work of each precision has a model of its own (roofline/models/), with its own peak. That is the
// peak of fused multiply-adds. Work that is a share alpha of FMA instructions can reach
// peak * (1 + alpha) / 2 of it, which is given beside it.
//
// Work without any operation has a model of its own (Model::moves): what is called FLOP there is
// the bytes that it moves of DRAM. It needs no time for arithmetic.
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
#include "roofline/models/model_table.h"

namespace roofline {

// Instructions have models of the same form: warp instructions are the work, transactions of 32 or
// 128 B (Level::bytes_each) the traffic. What is called FLOP and bytes here is instructions and
// transactions there. Source: Ding and Williams 2019.

/// Bytes moved at one level of memory.
struct Traffic {
  std::string level;  ///< "l1", "shared", "l2", "dram" on a GPU; "dram" on a host
  double bytes = 0;
};

/// The operations and bytes of a piece of work, and its time.
struct Activity {
  std::string precision = "fp64";  ///< which operations: the name of a model of the device
  double flop = 0;                 ///< operations, an FMA counting two
  double seconds = 0;              ///< unprofiled
  std::vector<Traffic> traffic;
  std::optional<double> fma_fraction;  ///< alpha = FMA / (add + mul + FMA) instructions
  bool analytic = false;               ///< not counted by hardware: drawn hollow, labelled so
  std::optional<double> active = {};   ///< of instructions: those not predicated off
};

/// The view from one level of memory.
struct LevelPoint {
  std::string level;
  double bytes = 0;
  double intensity = 0;   ///< FLOP/B
  double attainable = 0;  ///< FLOP/s: min(peak, intensity * bandwidth)
  double percent = 0;     ///< of attainable
  double seconds = 0;     ///< that this level needs at least: bytes / bandwidth
};

/// A piece of work of one precision under its roofs.
struct RooflinePoint {
  std::string precision = "fp64";  ///< the name of its model
  double share = 1;                ///< of all operations counted, of every precision: 0..1
  double flop = 0;                 ///< operations of this precision
  double seconds = 0;
  double flop_per_s = 0;
  /// For instructions: the rate of those not predicated off, at most flop_per_s.
  std::optional<double> active_per_s = {};
  bool analytic = false;
  std::vector<LevelPoint> levels;         ///< nearest to the arithmetic first
  double compute_seconds = 0;             ///< that the arithmetic needs at least: flop / peak
  double percent_of_peak = 0;             ///< of the model's peak
  std::optional<double> fma_mix_ceiling;  ///< FLOP/s: peak * (1 + alpha) / 2
  double percent_of_roof = 0;             ///< of the lowest attainable of all levels
  std::string bound_by;                   ///< the level whose time is longest, or "compute"
  std::vector<std::string> defects;       ///< broken invariants, in words; empty when sound

  /// Where it stands at a level; nullptr where it moved nothing there.
  const LevelPoint* find_level(std::string_view level) const;
};

/// FLOP/B at a level; empty where there is no point, or it moved nothing there.
std::optional<double> intensity_at(const RooflinePoint* point, std::string_view level);

/// A point may pass a roof, and a level the one before it, so far without being called a defect.
/// Roofs and runs are measured one after the other, and clocks may differ by up to 5%; counters of
/// different levels may come from different passes.
inline constexpr double tolerance = 0.05;

/// A level beside the way from DRAM to the registers (shared memory) is shown where its bytes need
/// at least this share of the run. Sums at the end of a block touch it, and say nothing of the
/// work.
inline constexpr double least_share_beside = 0.01;

/// The unit of the ceiling: "FLOP/s", "B/s", "OP/s" where work is counted in whole numbers,
/// "IPS" for instructions, or "div/s" for divisions.
std::string rate_unit(const Ceiling& ceiling);

/// The model of a precision on a kind of device ("gpu", "host"); nullptr where there is none.
const Model* model_of(const Ceilings& ceilings, const std::string& precision);

/// Whether the point's work is the bytes that it moves, since it does no operation.
bool only_moves(const RooflinePoint& point);

/// The highest rate of a level's traffic: bytes, or transactions, per second. Empty where
/// its ceiling was not measured.
std::optional<double> bandwidth_of(const Ceilings& ceilings, const Level& level);

/// Places the work. A level that moved no bytes has no intensity and is left out, as is one beside
/// the hierarchy that moved next to nothing, and one whose roof the ceilings name as missing. Empty
/// where the device has no model of the precision, where the measured ceiling of the peak or of a
/// level is missing, where flop or seconds are not positive, or where no level moved anything.
///
/// Invariants; each violation is a text in `defects`:
///   - no roof is passed, the FMA mix's included, and so no level needs longer than the run;
///   - l1 moves at least what l2 does, and l2 at least what dram does, so that intensities ascend.
///     Shared memory lies beside them.
std::optional<RooflinePoint> roofline_point(const Activity& activity, const Ceilings& ceilings);

}  // namespace roofline
