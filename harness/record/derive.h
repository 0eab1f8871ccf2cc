// Derives values from a study's facts: positions under the roofs, and possible times.
//
// A time shorter than the arithmetic alone needs cannot be right. The kernel defines the operations
// that every variant must do (LeastWork).
#pragma once

#include <optional>
#include <string>

#include "harness/kernel.h"
#include "harness/record/record.h"
#include "roofline/ceilings.h"

namespace gpp {

/// The tolerance of roofs: measured roofs and clocks vary, so a speed may exceed them by this.
inline constexpr double roof_margin = 1.1;

/// Operations per second that a device cannot reach.
struct SpeedLimit {
  double flop_per_s = 0;  ///< 0: unknown, so every time is possible
  std::string source;     ///< explanation: "1.1 x its roof of 33.2 TFLOP/s (FP64, FMA)"
};

/// The speed limit of a "host" or "gpu" with this number of cores or multiprocessors (0: unknown)
/// for operations of a precision. With `ceilings` (may be nullptr) it is roof_margin times the
/// highest roof of that precision; tensor units of a GPU without a tensor roof may have twice the
/// FMA roof. Without ceilings, and at most, it is a bound for any hardware: 32 FP64 operations per
/// cycle of a core at 6 GHz, 512 of a multiprocessor at 3 GHz; twice as many in FP32.
SpeedLimit speed_limit(const std::string& kind, int units, const roofline::Ceilings* ceilings,
                       const std::string& precision = "fp64");

/// Explains why a run cannot have done the work in the time; empty if it can.
std::optional<std::string> impossible(const LeastWork& least, double seconds,
                                      const SpeedLimit& limit);

/// The reason why a result has no point on the roofline: "the roof of L2 was not measured". Empty
/// if it has one, if its work was not counted, or if it has no work.
std::string why_no_place(const StudyRecord& study, const Result& result);

/// The roofs of the devices of that kind; nullptr if the study has none.
const roofline::Ceilings* ceilings_of_kind(const StudyRecord& study, const std::string& kind);

/// Computes everything that follows from facts, after reading and after measuring:
/// Result::rooflines, instructions and kernels, and the hosts' metric division_time. A result has
/// them if it was timed and counted and the study has its device's roofs.
void derive(StudyRecord& study);
/// Computes the derived values of one result of the study.
void derive(const StudyRecord& study, Result& result);

/// Explains why a time of a passed result is impossible on the study's device, given its least work
/// or the work that hardware counted; empty if all are possible. Operations known only from the
/// source prove nothing.
std::optional<std::string> impossible_time(const StudyRecord& study, const Result& result);

/// Explains why the study's description of its machine cannot be true, as far as results of this
/// kind of device depend on it: more cores than the machine has, roofs that so many cores cannot
/// reach, a missing GPU. Empty if there is no contradiction. A host without measured roofs is a
/// contradiction too, because its times cannot be checked.
std::string contradicts_machine(const StudyRecord& study, const Result& result);

/// Seconds that counting by hardware took, and that many times one run of each result so counted;
/// empty where nothing was.
struct CountingCost {
  double seconds = 0;
  double times_the_runs = 0;
};
std::optional<CountingCost> counting_cost(const StudyRecord& study);

}  // namespace gpp
