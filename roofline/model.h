// The hierarchical roofline: where a piece of work stands under the roofs of its device.
//
// Sources: Williams, Waterman, Patterson, CACM 52 (2009) 65, for the model; document 000 for its
// levels and the "customised" peak of an FMA mix; document 001 for the time-based view.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "roofline/ceilings.h"

namespace gpp::roofline {

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

/// Places the work. Empty where a ceiling that it needs is missing, or flop or seconds are not
/// positive.
std::optional<RooflinePoint> roofline_point(const Activity& activity, const Ceilings& ceilings);

}  // namespace gpp::roofline
