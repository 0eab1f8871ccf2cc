// Runs a program with the injected library and sums the library's reports.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "roofline/inject/protocol.h"
#include "roofline/inject/tally.h"

namespace roofline::inject {

struct Run {
  std::vector<std::string> arguments;  ///< program name first, found on the PATH; no shell
  std::string library;                 ///< path of the injected library
  Task task;
  bool by_rank = false;  ///< separates processes by rank
  /// Ends the program after `longest`, or if nothing can be watched; 0: does not.
  std::chrono::duration<double> longest{0};
  bool shown = true;              ///< false hides its output; its input is then empty or read again
  bool output_as_errors = false;  ///< sends its output to standard error
};

/// While the result lives, signals that ask for an end do not end this tool; the current or next
/// run sees them.
std::shared_ptr<const void> stay_alive();

/// Returns when the program and all its children have ended, or `limits::afterwards` after the
/// program. `progress` is called about ten times a second. `before` is the result of earlier runs
/// with other ranks, to which this run is added. Throws InputError if the program cannot be
/// started.
Tally run_watched(const Run& run, const std::function<void(const Tally&)>& progress,
                  Tally before = {});

}  // namespace roofline::inject
