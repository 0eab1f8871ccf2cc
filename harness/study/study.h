// Checking and timing variants side by side.
//
// Correct before fast. Every variant first runs a small other problem (decoy.h), then the problem
// itself as warm-up; both are checked. Then rounds: each variant once per round, in turning order,
// so that a slow minute of the machine meets all of them, until the rule in timing.h is content.
// The sums of every timed run are checked like the first. A variant that throws or fails its check
// is out, with the reason; the others go on. When all timing is done and recorded, what passed is
// counted (counting.h): nothing that happens then changes a verdict or a time.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "gpp/prepare.h"
#include "harness/record/record.h"
#include "harness/study/counting.h"
#include "harness/study/load.h"
#include "harness/study/selection.h"

namespace gpp {

struct StudyOptions {
  double tolerance = default_tolerance;
  TimingRule timing;
  CountingOptions counting;
};

/// How a study talks to its surroundings; all may be empty.
struct StudyEvents {
  std::function<void(std::string_view)> progress;            ///< what is being done
  std::function<void(const std::vector<Result>&)> recorded;  ///< after each step: keep it
  /// All timing is done: keep it now, whatever becomes of the process while it counts.
  std::function<void(const std::vector<Result>&)> timed;
  std::function<bool()> interrupted;  ///< true: stop soon, keep what is there
  std::function<double()> clock;      ///< seconds; the steady clock where empty
  LoadMeter* load = nullptr;          ///< measures others around each timed run, where there is one
  std::function<double()> host_clock;  ///< MHz; what the host's runtime says where empty
};

/// Runs the choices on the problem. One result for each, in the same order; those without a build
/// are "unavailable". `reference` is the problem's.
std::vector<Result> run_study(const PreparedProblem& problem, const Reference& reference,
                              const std::vector<Choice>& choices, const StudyOptions& options,
                              const StudyEvents& events = {});

}  // namespace gpp
