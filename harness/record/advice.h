// The limits of a recorded variant and advice for the next step (roofline/advice.h), with the step
// of the ladder that acts on it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/record/record.h"
#include "roofline/advice.h"

namespace gpp {

/// The aim of a ladder's step, whether or not it was reached.
struct StepAim {
  std::string id;                    ///< "v7"
  std::vector<std::string> against;  ///< names of causes in roofline/models/advice.txt
  std::string by;                    ///< the means, as words that follow "by"
};

/// Reads a kernel's guide, written by its teachers: blocks `step` in their order, with `against`
/// (causes, separated by commas) and `by`. `file` is its name in messages. Throws InputError with
/// the place, also for a cause that the table of advice lacks.
std::vector<StepAim> read_aims(std::string_view text, const std::string& file);

/// The aims of the kernel's steps; none if it has no guide.
const std::vector<StepAim>& aims_of(const Kernel& kernel);

/// A cause with the step that acts on it.
struct LinkedCause {
  roofline::Cause cause;
  const StepAim* step = nullptr;  ///< next step that acts on it, or nullptr
};

struct LinkedAdvice {
  std::vector<LinkedCause> causes;  ///< the main one, and one beside it if there is one
  std::string next;                 ///< what to examine
};

/// Advice on a result. Returns nothing if the result was not timed, or has neither a roofline nor
/// stalls. The next step is the first one in the guide after the result's own step (for a user's
/// variant: after its parent) that acts on the cause and exists in the model.
std::optional<LinkedAdvice> advice_on(const StudyRecord& study, const Result& result);

}  // namespace gpp
