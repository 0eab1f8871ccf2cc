// What a run of a program showed, added up packet by packet. Packets may be forged: whatever they
// say, a tally stays within the limits of limits.h.
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

/// What kernels are called for which there is no room.
inline const std::string other_kernels = "(other kernels)";

/// A kernel on one device, of one rank.
struct KernelKey {
  std::string name;      ///< whole
  std::string gpu = {};  ///< key of Tally::gpus
  int rank = -1;         ///< of the processes that launched it; -1: they are no rank

  KernelKey(std::string whole, std::string on = {}, int of = -1)  // NOLINT: a name is a key, too
      : name(std::move(whole)), gpu(std::move(on)), rank(of) {}
  KernelKey(const char* whole) : name(whole) {}  // NOLINT
  auto operator<=>(const KernelKey&) const = default;
};

/// One launch of a kernel, timed or counted.
struct LaunchTally {
  int process = 0;
  std::int64_t range = 0;  ///< in the tally's tree
  std::int64_t stream = 0;
  std::int64_t start = 0;  ///< ns
  double seconds = 0;
  LaunchFacts facts = {};
  std::vector<double> values = {};  ///< in the order of the tally's single_counters
};

/// All launches of one kernel in a run together, in all processes; or those of a range or a stream.
struct KernelTally {
  std::int64_t launches = 0;  ///< timed or counted
  double seconds = 0;         ///< of a timed run
  Counters counters;  ///< of a counted run; a counter without a value in some launch is not here
  std::set<std::string> lost;             ///< such counters
  std::vector<LaunchTally> singles = {};  ///< those of a kernel that are kept one by one
  /// The forms of a timed run, with their launches and seconds.
  std::map<LaunchForm, std::pair<std::int64_t, double>> forms = {};
  bool more_forms = false;  ///< than there is room for
};

/// The kernels that were launched in a range or a stream.
using GroupTally = std::map<KernelKey, KernelTally>;

struct SeenGpu {
  std::string name;
  int number = 0;  ///< within the process that told of it first
  int compute_capability = 0;
};

/// All evidence on source lines in a run together, in all processes.
struct LinesTally {
  std::int64_t period = 0, dropped = 0, elsewhere = 0;  ///< as in SeenLines
  std::set<std::string> counted;
  LineSums lines;
  std::set<std::string> lost;
};

/// All that was sent during a run, however it ended.
struct Tally {
  std::map<KernelKey, KernelTally> kernels;
  LinesTally lines;
  RangeTree ranges = {};
  /// By the rank and what was open directly around them; 0: nothing.
  std::map<std::pair<int, std::int64_t>, GroupTally> in_ranges = {};
  std::map<std::pair<int, std::string>, GroupTally> in_streams = {};  ///< by name: "stream 7"
  std::size_t in_groups = 0;                                          ///< kernels of all of these
  std::vector<std::string> single_counters = {};  ///< those of launches one by one
  std::int64_t singles = 0;                       ///< launches that are kept one by one
  std::map<std::string, SeenGpu> gpus;            ///< by what is the same in all processes
  std::vector<Missing> missing;                   ///< counters that the device lacks
  int passes = 0;                                 ///< runs of each launch that was counted
  int most_passes = 0;                            ///< of those whose tensor cores were busy
  int processes = 0;                              ///< that called CUDA
  std::map<int, int> processes_of;                ///< each rank
  std::int64_t launches = 0;                      ///< chosen or not
  std::int64_t watched = 0;                       ///< timed or counted
  std::set<std::string> notes;                    ///< what makes the numbers doubtful; see add_note
  std::string refused;         ///< why nothing, or nothing more, was timed or counted
  std::set<std::string> busy;  ///< GPUs whose counters others had: keys of `gpus`
  int status = 0;              ///< exit status; 128 + n after signal n
  int interrupted = 0;         ///< somebody wanted an end by SIGINT, SIGTERM or SIGHUP; else 0
  double seconds = 0;          ///< from start to end
  std::string last_words;      ///< the end of its standard error, where it was not shown

  std::int64_t most_singles = 0;  ///< of the task
  bool by_rank = false;           ///< processes that are ranks are kept apart
  std::set<std::string> asked;    ///< counters of the task: no process may tell of others
  std::set<std::string> names;    ///< of kernels, as processes told them
  std::size_t name_bytes = 0;     ///< of these
  std::size_t forms = 0;          ///< of all kernels
};

/// A process that talks to us.
struct Connection {
  std::vector<const std::string*> kernels;  ///< names by number; they lie in the tally
  std::int64_t named = 0;                   ///< kernels, those without a name of their own as well
  std::vector<std::int64_t> ranges = {};    ///< numbers in the tally's tree, by number from 1
  int process = 0;  ///< which of the processes it is, or of those of its rank, from 1
  std::vector<std::string> counters;  ///< in the order of the values of launches
  std::map<int, std::string> gpus;    ///< keys, by numbers within the process
  std::string gpu;                    ///< key of the last that was told
  int rank = -1;
  std::int64_t launches = 0;
};

/// Adds one packet of a process to the tally. Throws InputError for a packet that makes no sense.
void add_packet(const std::string& packet, Connection& connection, Tally& tally);

/// Notes what makes the numbers doubtful, as far as there is room for it (limits.h).
void add_note(const std::string& note, Tally& tally);

}  // namespace roofline::inject
