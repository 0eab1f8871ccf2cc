// One variant on many inputs, without timing: `gpp check`.
//
// A variant that crashes or hangs must not take the report down. So a process of its own runs the
// inputs one after the other and writes a line about each. Where it ends too early, the input that
// it was at has failed, and another process goes on with the rest.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "harness/measure/selection.h"
#include "roofline/base/process.h"
#include "roofline/record/fields.h"

namespace gpp {

/// The verdict on one input.
struct InputVerdict {
  std::string name;
  Check check = {};    ///< an infinite error where the variant gave no answer
  bool spent = false;  ///< the process may be damaged: the next input needs a new one
};

/// Runs the variant twice, on the input as it is and varied in the same memory, so that an answer
/// kept from before is wrong. Whatever is thrown becomes a verdict. The choice has a build.
InputVerdict check_on(const CheckInput& input, const Choice& choice, double tolerance);

/// {"name", "passed", "max_relative_error", "tolerance", "reason"}.
Json to_json(const InputVerdict& verdict);

/// As a process writes it, with "spent".
void fields(roofline::Fields& field, InputVerdict& verdict);

/// Starts a process that checks these inputs in this order and writes a line about each, and waits
/// for its end.
using CheckElsewhere = std::function<roofline::Finished(const std::vector<std::string>& inputs)>;

/// A verdict on each input, in order. `limit_s`: the seconds of silence after which a process is
/// ended, for messages. Throws std::runtime_error where a process ends before its first input
/// without a signal: then the inputs are not to blame.
std::vector<InputVerdict> check_all(const std::vector<std::string>& inputs, double tolerance,
                                    double limit_s, const CheckElsewhere& run);

}  // namespace gpp
