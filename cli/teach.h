// A step as it is taught: predict, run, see, explain.
#pragma once

#include <optional>

#include "cli/prediction.h"
#include "harness/teach/explanation.h"

namespace gpp {

/// Says what happens when the input ends before every step was predicted.
enum class AtEnd { tell_the_rest, stop };

struct Taught {
  ExitStatus status = every_check_passed;
  bool told = false;   ///< the outcome
  bool ended = false;  ///< the answers
};

/// Shows what may be told before, asks for predictions on standard output, and then shows them
/// beside the outcome, with the reasons, the rest of the lesson and its questions. Where `observed`
/// is empty the step is run for that. Throws InputError where it cannot run here.
Taught teach(const Step& step, Explanation& explanation, const PredictionOptions& options,
             std::optional<Observed> observed, AtEnd at_end, const ExplanationStyle& style);

}  // namespace gpp
