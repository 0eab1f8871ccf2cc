// From what was seen of a program in two runs to a profile.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "roofline/inject/program.h"
#include "roofline/profile.h"

namespace roofline::inject {

/// How much is counted.
enum class Counters {
  fast,  ///< what the hardware counts: bytes, and operations of the tensor cores
  full   ///< also operations of other instructions, by instrumenting them: kernels take far longer
};

/// The counters that profiles need: all can be added up over launches.
Task task_of(Counters counters, const Selection& selection);

/// How long counting will take, from the timed run: seconds. A rule of thumb, from an H200.
double expected_seconds(const Tally& timed, Counters counters);

/// Kernels with the counts of one run and the times of the other, which had no counters: the mean
/// of a launch there times the launches counted. `counted` is empty where only times were taken.
/// `program`: as people typed it.
Profile profile_of(const std::string& program, const Tally& timed,
                   const std::optional<Tally>& counted, Counters counters);

}  // namespace roofline::inject
