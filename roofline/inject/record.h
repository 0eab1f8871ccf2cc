// Runs a program with the injected library, sums what it tells, and makes a profile from the runs.
// Packets may be forged, but a tally always stays within the limits of protocol.h.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "roofline/inject/protocol.h"
#include "roofline/profile.h"

namespace roofline::inject {

/// The common name of kernels for which there is no room.
inline const std::string other_kernels = "(other kernels)";

/// The rank of processes without one, and of all where ranks are not kept apart.
inline constexpr int no_rank = -1;

/// A kernel on one device.
struct KernelKey {
  std::string name;      ///< the kernel's full name
  std::string gpu = {};  ///< its GPU, a key of Tally::gpus

  auto operator<=>(const KernelKey&) const = default;
};

using GroupTally = std::map<KernelKey, KernelTally>;

/// What was launched directly in a range; calls with equal names at one place are one range.
struct RangeTally {
  std::vector<RangeName> path = {};  ///< outermost first; empty: outside of all
  std::size_t parent = 0;
  GroupTally kernels = {};
};

/// What the processes of one rank launched.
struct RankTally {
  /// In order of appearance, each after its parent. The first is none: outside of all.
  std::vector<RangeTally> ranges = std::vector<RangeTally>(1);
  std::map<std::vector<RangeName>, std::size_t> numbers = {{{}, 0}};  ///< by path
  std::int64_t watched = 0;  ///< number of timed or counted launches

  /// What was launched in the range of that path; null: there is none.
  const GroupTally* in(const std::vector<RangeName>& path) const;
  /// The kernels, in any range.
  GroupTally kernels() const;
};

/// All evidence on source lines in a run, over all processes.
struct LinesTally {
  long long period = 0;
  std::uint64_t dropped = 0, elsewhere = 0;
  std::set<std::string> counted;
  LineSums lines;
  std::set<std::string> lost;
};

/// Everything reported in a run, however it ended.
struct Tally {
  std::map<int, RankTally> ranks;
  LinesTally lines;
  std::map<std::string, SeenGpu> gpus;  ///< devices by key
  int processes = 0;                    ///< processes that called CUDA
  std::int64_t launches = 0;            ///< launches, selected or not
  std::int64_t watched = 0;             ///< number of timed or counted launches
  std::set<std::string> notes;          ///< reasons to doubt the numbers; see add_note
  std::string refused;                  ///< reason why timing or counting failed or ended
  int status = 0;                       ///< exit status; 128 + n after signal n
  int interrupted = 0;                  ///< SIGINT, SIGTERM or SIGHUP, if received; else 0
  double seconds = 0;                   ///< duration of the run

  bool by_rank = false;         ///< separates processes by rank
  std::set<std::string> asked;  ///< counters of the task; others are refused
  std::size_t kernels = 0;      ///< kernels in ranges, of all ranks
  std::size_t ranges = 0;       ///< ranges of all ranks
  std::size_t name_bytes = 0;   ///< bytes of the names of both
  std::size_t forms = 0;        ///< number of the kernels' forms
};

/// Adds one packet to the tally. `rank` is that of the connected process, which the packet may
/// tell. Throws InputError for an invalid packet.
void add_packet(const std::string& packet, int& rank, Tally& tally);

/// Adds a reason to doubt the numbers, if there is room.
void add_note(const std::string& note, Tally& tally);

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
