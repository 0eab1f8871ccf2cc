// Is a time possible at all? A time below that of the arithmetic alone was not measured on the work
// that it claims.
//
// The kernel knows the least work: operations that every variant must do (LeastWork).
#pragma once

#include <optional>
#include <string>

#include "harness/kernel.h"
#include "roofline/ceilings.h"

namespace gpp {

/// Roofs are measured, and clocks differ from run to run: a speed may pass them by so much.
inline constexpr double roof_margin = 1.1;

/// Operations per second that a device surely does not reach.
struct SpeedLimit {
  double flop_per_s = 0;  ///< 0: nothing is known, so nothing is impossible
  std::string source;     ///< for people: "1.1 x its roof of 33.2 TFLOP/s (FP64, FMA)"
};

/// The limit of a device of that kind, "host" or "gpu", with so many cores or multiprocessors (0:
/// not known), for operations of a precision. With `ceilings` (nullptr: none) it is roof_margin
/// times the highest roof of that precision among them; a GPU without one for its tensor units may
/// have them at twice the FMA roof. Without, and never above, a bound for any hardware: 32 FP64
/// operations per cycle of a core at 6 GHz, 512 of a multiprocessor at 3 GHz; twice as many in
/// FP32.
SpeedLimit speed_limit(const std::string& kind, int units, const roofline::Ceilings* ceilings,
                       const std::string& precision = "fp64");

/// Why the work cannot have been done in that time; empty where it can.
std::optional<std::string> impossible(const LeastWork& least, double seconds,
                                      const SpeedLimit& limit);

}  // namespace gpp
