// Runs a program with the injected library, which tells what it launched, and makes a profile from
// its runs.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "roofline/inject/tally.h"
#include "roofline/profile.h"

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

/// The purpose of a run.
enum class Purpose {
  time,         ///< times, without counters
  hardware,     ///< hardware counters: bytes, and operations of the tensor cores
  instructions  ///< operations of other instructions, by instrumentation: kernels are far slower
};

/// The task of a run.
Task task_of(Purpose purpose, const Selection& selection);

/// The expected seconds of a counted run, from the timed run. A rule of thumb from an H200: each
/// launch with busy tensor cores takes 0.1 s more.
double expected_seconds(const Tally& timed, Purpose purpose);

/// The runs of a program. Runs that did not take place are empty.
struct Runs {
  Tally timed;
  std::optional<Tally> hardware;
  std::optional<Tally> instructions;
};

/// The ranks of a run, if they were kept separate; else empty.
std::vector<int> ranks_of(const Tally& timed);

/// The ranks to count, each in a run of its own, if some share a GPU; else one empty turn of all.
/// -1 means processes without a rank.
std::vector<std::optional<int>> turns_of_ranks(const Tally& timed);

/// Combines counts and times of one rank from different runs. A kernel's counts in one run are
/// scaled to its launches in the hardware run, with a note, if the numbers differ. `program` is the
/// command line as typed.
Profile profile_of(const std::string& program, const Runs& runs, int rank = no_rank);

}  // namespace roofline::inject
