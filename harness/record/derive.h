// What follows from the facts of a study: places under the roofs, and whether times are possible.
//
// A time below that of the arithmetic alone was not measured on the work that it claims. The kernel
// knows the least work: operations that every variant must do (LeastWork).
#pragma once

#include <optional>
#include <string>

#include "harness/kernel.h"
#include "harness/record/record.h"
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

/// Why a result has no place on the roofline: "the roof of L2 was not measured". Empty where it has
/// one, and where nobody counted its work or it has none.
std::string why_no_place(const StudyRecord& study, const Result& result);

/// The roofs of the devices of that kind; nullptr where the study has none.
const roofline::Ceilings* ceilings_of_kind(const StudyRecord& study, const std::string& kind);

/// The one place where what follows from facts is computed, after reading and after measuring:
/// Result::rooflines, instructions and kernels, and the metric division_time of hosts. A result has
/// them where it was timed and counted, and the study has the roofs of its device.
void derive(StudyRecord& study);
/// Derives them for one result of the study.
void derive(const StudyRecord& study, Result& result);

/// Why one of the times of a result that passed is impossible on the device that the study
/// describes, for the least that its answer needs or for what hardware counted; empty where none
/// is. Operations that only its source states prove nothing.
std::optional<std::string> impossible_time(const StudyRecord& study, const Result& result);

/// Why what the study says of its machine cannot be true, as far as results of that kind of device
/// rest on it: more cores than the machine has, roofs that so many cores do not reach, a GPU that
/// the machine lacks. Empty where nothing contradicts anything, and of hosts where their roofs were
/// measured: without any, nobody can tell whether a time is possible.
std::string contradicts_machine(const StudyRecord& study, const Result& result);

}  // namespace gpp
