// Makes a profile of what the runs of a program showed.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "roofline/inject/program.h"
#include "roofline/profile.h"

namespace roofline::inject {

/// The purpose of a run.
enum class Purpose {
  time,         ///< no counters
  hardware,     ///< what the hardware counts: bytes, and operations of the tensor cores
  instructions  ///< operations of other instructions, by instrumenting them: kernels take far
                ///< longer
};

/// `singles`: launches to be told one by one, at most.
Task task_of(Purpose purpose, const Selection& selection, std::int64_t singles = 0);

/// How long a counted run will take, from the timed run: seconds. A rule of thumb, from an H200;
/// each launch whose tensor cores are busy takes 0.1 s more.
double expected_seconds(const Tally& timed, Purpose purpose);

/// The runs of a program. Those that did not take place are empty.
struct Runs {
  Tally timed;
  std::optional<Tally> hardware;
  std::optional<Tally> instructions;
  std::vector<Tally> timed_again = {};  ///< further runs for the times
};

/// The runs of each rank, where processes that were ranks were kept apart; else empty. Kernels of
/// processes that are no rank are with the first, and say so in their names.
std::map<int, Runs> runs_by_rank(const Runs& runs);

/// Ranks that can be counted in the same run of the program, one run after another: those that used
/// no GPU together. -1 stands for processes that are no rank. One turn without names is for all.
std::vector<std::vector<int>> turns_of_ranks(const Tally& timed);

/// Kernels with the counts and times of different runs. What was seen in all of a kernel's launches
/// of one run is scaled to its launches in the hardware run, where it did not run as often there; a
/// note says so. `program`: as people typed it.
Profile profile_of(const std::string& program, const Runs& runs);

/// Why nothing was counted of a kernel, a range or a stream in a run that counted.
struct Uncounted {
  std::string hardware = "none of its launches was counted";
  std::string instructions = hardware;
};

/// Makes a kernel, a range or a stream of what runs told of it; nullptr: nothing.
KernelProfile tallied(const std::string& name, const Runs& runs, const KernelTally* timed,
                      const KernelTally* hardware, const KernelTally* instructions,
                      const Uncounted& why = {});
/// Adds ranges, streams and single launches. The kernels are there.
void add_groups(const Runs& runs, const std::set<KernelKey>& keys, Profile& profile);

}  // namespace roofline::inject
