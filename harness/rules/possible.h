// Is a time possible at all? A time below what the arithmetic alone takes was not measured on the
// work that it is said to be of.
//
// The least work: whatever the form and whatever the number of frequencies, every triple of a band,
// a G' and a G vector has a matrix element m = conj(aqsm) aqsn that must be formed and added up.
// That is one complex multiply-add, 8 FP64 operations. Every known form needs several times as
// many.
#pragma once

#include <optional>
#include <string>

#include "roofline/ceilings.h"

namespace gpp {

/// FP64 operations that no form can do without, per triple (n1, igp, ig).
inline constexpr double least_flop_per_triple = 8;

/// Roofs are measured, and clocks differ from run to run: a speed may pass them by so much.
inline constexpr double roof_margin = 1.1;

/// FP64 operations per second that a device surely does not reach.
struct SpeedLimit {
  double flop_per_s = 0;  ///< 0: nothing is known, so nothing is impossible
  std::string source;     ///< for people: "1.1 x its roof of 33.2 TFLOP/s (FP64, FMA)"
};

/// The limit of a device of that kind, "host" or "gpu", with so many cores or multiprocessors (0:
/// not known). With `ceilings` (nullptr: none) it is roof_margin times the highest FP64 roof among
/// them; a GPU without one for its tensor units may have them at twice the FMA roof. Without, and
/// never above, a bound for any hardware: 32 operations per cycle of a core at 6 GHz, 512 of a
/// multiprocessor at 3 GHz.
SpeedLimit speed_limit(const std::string& kind, int units, const roofline::Ceilings* ceilings);

/// Why the whole problem cannot have been summed in that time; empty where it can.
/// `triples` = nbands * ngpown * ncouls.
std::optional<std::string> impossible(double triples, double seconds, const SpeedLimit& limit);

}  // namespace gpp
