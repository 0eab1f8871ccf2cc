// Sums the reports of a program's run. Packets may be forged, but a tally always stays within
// limits.h.
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

/// A kernel on one device, of one rank.
struct KernelKey {
  std::string name;      ///< the kernel's full name
  std::string gpu = {};  ///< its GPU, a key of Tally::gpus
  int rank = -1;         ///< rank of the process; -1: no rank

  KernelKey(std::string whole, std::string on = {}, int of = -1)  // NOLINT: a name is a key, too
      : name(std::move(whole)), gpu(std::move(on)), rank(of) {}
  KernelKey(const char* whole) : name(whole) {}  // NOLINT
  auto operator<=>(const KernelKey&) const = default;
};

/// All launches of one kernel in a run, over all processes; or those in a range.
struct KernelTally {
  std::int64_t launches = 0;   ///< number of timed or counted launches
  double seconds = 0;          ///< seconds of timed runs
  Counters counters;           ///< of counted runs; omits counters that lack a value for a launch
  std::set<std::string> lost;  ///< names of omitted counters
  /// The launch forms of a timed run, with launches and seconds.
  std::map<LaunchForm, std::pair<std::int64_t, double>> forms = {};
  bool more_forms = false;  ///< true if some forms had no room
};

/// The kernels launched in a range.
using GroupTally = std::map<KernelKey, KernelTally>;

struct SeenGpu {
  std::string name;
  int number = 0;  ///< number in the process that reported it first
  int compute_capability = 0;
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
  std::map<KernelKey, KernelTally> kernels;
  LinesTally lines;
  RangeTree ranges = {};
  /// By rank and innermost range; 0: none.
  std::map<std::pair<int, std::int64_t>, GroupTally> in_ranges = {};
  std::size_t in_groups = 0;            ///< kernels in all groups
  std::map<std::string, SeenGpu> gpus;  ///< devices by identity common to all processes
  std::vector<Missing> missing;         ///< counters that the device lacks
  int passes = 0;                       ///< passes per counted launch
  int most_passes = 0;                  ///< passes with busy tensor cores
  int processes = 0;                    ///< processes that called CUDA
  std::int64_t launches = 0;            ///< launches, selected or not
  std::int64_t watched = 0;             ///< number of timed or counted launches
  std::set<std::string> notes;          ///< reasons to doubt the numbers; see add_note
  std::string refused;                  ///< reason why timing or counting failed or ended
  std::set<std::string> busy;           ///< keys in `gpus` whose counters others used
  int status = 0;                       ///< exit status; 128 + n after signal n
  int interrupted = 0;                  ///< SIGINT, SIGTERM or SIGHUP, if received; else 0
  double seconds = 0;                   ///< duration of the run
  std::string last_words;               ///< end of its standard error, if hidden

  bool by_rank = false;         ///< separates processes by rank
  std::set<std::string> asked;  ///< counters of the task; others are refused
  std::set<std::string> names;  ///< reported kernel names
  std::size_t name_bytes = 0;   ///< bytes of the reported names
  std::size_t forms = 0;        ///< number of forms of all kernels
};

/// A connected process.
struct Connection {
  std::vector<const std::string*> kernels;  ///< names by number; the tally owns them
  std::int64_t named = 0;                   ///< number of kernels, including those without room
  std::vector<std::int64_t> ranges = {};    ///< the tally's range numbers, by the process's numbers
  std::vector<std::string> counters;        ///< counters in the order of launch values
  std::map<int, std::string> gpus;          ///< keys by numbers within the process
  std::string gpu;                          ///< key of the last reported device
  int rank = -1;
  std::int64_t launches = 0;
};

/// Adds one packet of a process to the tally. Throws InputError for an invalid packet.
void add_packet(const std::string& packet, Connection& connection, Tally& tally);

/// Adds a reason to doubt the numbers, if there is room (limits.h).
void add_note(const std::string& note, Tally& tally);

}  // namespace roofline::inject
