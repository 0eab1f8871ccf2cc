// Runs a program with the library inside, and adds up what the library sees.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "roofline/inject/limits.h"
#include "roofline/inject/protocol.h"
#include "roofline/inject/tally.h"

namespace roofline::inject {

struct Run {
  std::vector<std::string>
      arguments;        ///< program first, looked up on the PATH; no shell takes part
  std::string library;  ///< file to put into it
  Task task;
  /// The program is told to end after so many launches were counted, or so many made. 0: it is not.
  std::int64_t enough = 0;
  std::int64_t enough_launches = 0;
  bool by_rank = false;  ///< processes that are ranks are kept apart
  /// It is told to end after that time; 0: it is not.
  std::chrono::duration<double> longest{0};
  bool shown = true;  ///< else nobody sees its output, and its input is empty or read once more
  bool output_as_errors = false;  ///< its standard output goes to standard error
  std::chrono::milliseconds afterwards = limits::afterwards;
};

/// While the result lives, somebody who wants an end does not end this tool: the run that goes on,
/// or the next one, sees it.
std::shared_ptr<const void> stay_alive();

/// Returns when the program has ended, and whatever else it started has ended or fallen silent, or
/// has talked on for `afterwards`.
/// `progress` is called some ten times a second. `before`: what earlier runs showed that counted
/// other ranks; this one is added to it. Throws InputError where it cannot be started.
Tally run_watched(const Run& run, const std::function<void(const Tally&)>& progress,
                  Tally before = {});

}  // namespace roofline::inject
