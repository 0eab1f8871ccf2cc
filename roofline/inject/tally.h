// Sums the reports of a program's run. Packets may be forged, but a tally always stays within
// protocol.h's limits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
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

}  // namespace roofline::inject
