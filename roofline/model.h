// The hierarchical roofline: where a piece of work stands under the roofs of its device.
//
// Each level of memory has a roof of its own, min(peak, intensity * bandwidth), at the intensity
// with which the work uses that level. The work must stay below all of them, so the lowest is its
// roof: percent_of_roof is the share of it that was reached. The same in seconds: arithmetic and
// every level need a time of their own at least; all may overlap, so the longest bounds the run,
// and percent_of_roof is the share of the run that the longest takes. Seconds can be compared where
// two steps differ in their FLOPs.
//
// The peak is that of fused multiply-adds (the ceiling "fp64_fma"). Work that is a share alpha of
// FMA instructions can reach peak * (1 + alpha) / 2 of it, which is given beside it.
//
// Sources: Williams, Waterman, Patterson, CACM 52 (2009) 65, for the model; SC19 tutorial (document
// 000) for roofs by level and the peak without FMA, half of that with; arXiv:2008.11326 for the
// "customised" peak of an FMA mix; document 001 for the time-based view.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "roofline/ceilings.h"

namespace roofline {

/// Bytes moved at one level of memory.
struct Traffic {
  std::string level;  ///< "l1", "l2", "dram" on a GPU; "dram" on a host: a ceiling's name
  double bytes = 0;
};

/// What a piece of work did, and how long it took.
struct Activity {
  double flop = 0;     ///< FP64 operations, an FMA counting two
  double seconds = 0;  ///< unprofiled
  std::vector<Traffic> traffic;
  std::optional<double> fma_fraction;  ///< alpha = FMA / (add + mul + FMA) instructions
  bool analytic = false;               ///< not counted by hardware: drawn hollow, labelled so
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

/// A piece of work under its roofs.
struct RooflinePoint {
  double flop = 0;
  double seconds = 0;
  double flop_per_s = 0;
  bool analytic = false;
  std::vector<LevelPoint> levels;         ///< nearest to the arithmetic first
  double compute_seconds = 0;             ///< that the arithmetic needs at least: flop / peak
  double percent_of_peak = 0;             ///< of fp64_fma
  std::optional<double> fma_mix_ceiling;  ///< FLOP/s: peak * (1 + alpha) / 2
  double percent_of_roof = 0;             ///< of the lowest attainable of all levels
  std::string bound_by;                   ///< the level whose time is longest, or "compute"
  std::vector<std::string> defects;       ///< broken invariants, in words; empty when sound
};

/// How far a point may pass a roof, and a level the one before it, without being called a defect.
/// Roofs and runs are measured one after the other, and clocks that differ by up to 5% are not
/// called throttled either (harness/record/timing.h); counters of different levels may come from
/// different passes.
inline constexpr double tolerance = 0.05;

/// Places the work; a level that moved no bytes has no intensity and is left out. Empty where the
/// measured ceiling of the peak or of a level is missing, where flop or seconds are not positive,
/// or where no level moved anything.
///
/// Invariants; each violation is a text in `defects`:
///   - no roof is passed, the FMA mix's included, and so no level needs longer than the run;
///   - l1 moves at least what l2 does, and l2 at least what dram does, so that intensities ascend.
std::optional<RooflinePoint> roofline_point(const Activity& activity, const Ceilings& ceilings);

}  // namespace roofline
