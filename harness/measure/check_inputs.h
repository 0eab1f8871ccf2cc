// One variant on many inputs, without timing: `gpp check`.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/measure/apart.h"
#include "harness/program/selection.h"

namespace gpp {

struct CheckOptions {
  double tolerance = 0;
  double limit_s = 60;  ///< seconds after which a variant that does not end on an input is ended
  /// The worker of the variant (apart.h); a fork where it lacks.
  std::optional<WorkerProgram> program = {};
};

/// A verdict on each input, in order, with an infinite error where the variant gave no answer. It
/// runs twice on each, on the input as it is and varied in the same memory, so that an answer kept
/// from before is wrong. A worker that failed may be damaged, and is replaced before the next
/// input. The choice has a build.
std::vector<Check> check_on(const std::vector<CheckInput>& inputs, const Choice& choice,
                            const CheckOptions& options);

}  // namespace gpp
