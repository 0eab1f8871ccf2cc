// Sums the reports of a program's run. Packets may be forged, but a tally always stays within
// limits.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "roofline/counters.h"
#include "roofline/inject/protocol.h"

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

/// What the processes of one rank launched.
struct RankTally {
  std::map<std::int64_t, GroupTally> in_ranges;  ///< by innermost range of Tally::ranges; 0: none
  std::int64_t watched = 0;                      ///< number of timed or counted launches

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
  RangeTree ranges = {};
  LinesTally lines;
  std::map<std::string, SeenGpu> gpus;  ///< devices by key
  int passes = 0;                       ///< passes per counted launch
  int most_passes = 0;                  ///< passes with busy tensor cores
  int processes = 0;                    ///< processes that called CUDA
  std::int64_t launches = 0;            ///< launches, selected or not
  std::int64_t watched = 0;             ///< number of timed or counted launches
  std::set<std::string> notes;          ///< reasons to doubt the numbers; see add_note
  std::string refused;                  ///< reason why timing or counting failed or ended
  int status = 0;                       ///< exit status; 128 + n after signal n
  int interrupted = 0;                  ///< SIGINT, SIGTERM or SIGHUP, if received; else 0
  double seconds = 0;                   ///< duration of the run
  std::string last_words;               ///< end of its standard error, if hidden

  bool by_rank = false;         ///< separates processes by rank
  std::set<std::string> asked;  ///< counters of the task; others are refused
  std::size_t kernels = 0;      ///< kernels in ranges, of all ranks
  std::size_t name_bytes = 0;   ///< bytes of their names
  std::size_t forms = 0;        ///< number of their forms
};

/// A connected process.
struct Connection {
  int rank = no_rank;
  std::int64_t launches = 0;
};

/// Adds one packet of a process to the tally. Throws InputError for an invalid packet.
void add_packet(const std::string& packet, Connection& connection, Tally& tally);

/// Adds a reason to doubt the numbers, if there is room (limits.h).
void add_note(const std::string& note, Tally& tally);

}  // namespace roofline::inject
