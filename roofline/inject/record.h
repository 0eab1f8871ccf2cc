// Makes a profile from the runs of a program.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "roofline/inject/program.h"
#include "roofline/profile.h"

namespace roofline::inject {

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

/// Groups of ranks that can be counted in the same run, because they share no GPU. -1 means
/// processes without a rank. A single empty group means all.
std::vector<std::vector<int>> turns_of_ranks(const Tally& timed);

/// Combines counts and times of one rank from different runs. A kernel's counts in one run are
/// scaled to its launches in the hardware run, with a note, if the numbers differ. `program` is the
/// command line as typed.
Profile profile_of(const std::string& program, const Runs& runs, int rank = no_rank);

}  // namespace roofline::inject
