// What `roofline record` and the library inside the program tell each other: packets of JSON over a
// local socket (unix(7), SOCK_SEQPACKET), one connection for each process of the program.
//
// The library connects, and is told its task. It answers with what it sees, packet by packet: what
// was sent is known, however the program ends.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "roofline/counters.h"
#include "roofline/inject/ranges.h"
#include "roofline/inject/selection.h"
#include "roofline/launch_form.h"
#include "roofline/line_recorder.h"

namespace roofline::inject {

/// The environment variable that names the socket.
inline constexpr const char* socket_variable = "ROOFLINE_SOCKET";

/// Counters that take many passes and that most kernels leave at zero. All of them are zero where
/// two counters of every launch are equal: `sign`, and the part of it that means nothing; but for
/// those of bulk copies, which the first launch of a kernel tells.
struct Further {
  std::string sign;
  std::string harmless;  ///< a chip may lack it: then the sign must be zero
  std::vector<std::string> counters;
};

/// The library's task.
struct Task {
  std::vector<std::string> counters;  ///< of every launch; empty: take times
  /// The counters of each kernel's first launch, and of the later ones where one was not zero.
  Further further;
  Selection selection;
  /// Ranks whose turn it is; -1 stands for processes that are none. Others are not watched. Empty:
  /// all are.
  std::vector<int> ranks = {};
  std::int64_t singles = 0;  ///< launches that are told one by one, at most
  /// The order to find source lines, in place of times and counters.
  std::optional<LineMode> lines = {};
  int period = 16;  ///< samples come every 2^period cycles

  bool counts() const { return !counters.empty(); }
  bool is_turn_of(int rank) const {
    return ranks.empty() || std::find(ranks.begin(), ranks.end(), rank) != ranks.end();
  }
};

std::string task_packet(const Task& task);
/// Throws InputError.
Task read_task(const std::string& packet);

/// The device of a context, and when counting, how it counts. What follows is of it, but for times,
/// which name theirs.
struct SeenDevice {
  std::string name = {};                   ///< "NVIDIA H200"
  int number = 0;                          ///< within the process
  std::string uuid = {};                   ///< the same in all processes; may be empty
  int compute_capability = 0;              ///< 90 for 9.0; 0: not known
  std::vector<std::string> counters = {};  ///< in the order of the values of launches
  int passes = 0;                          ///< runs of each launch
  int most_passes = 0;                     ///< of those that need the further counters
  std::vector<Missing> missing = {};
};

/// A kernel, before its first launch or time.
struct SeenKernel {
  std::int64_t id = 0;  ///< within the process
  std::string name = {};
};

/// An NVTX range in its place, before the first launch in it.
struct SeenRange {
  std::int64_t id = 0;      ///< within the process, from 1
  std::int64_t parent = 0;  ///< 0: none is around it
  RangeName range = {};
};

/// Facts that tell one launch of a kernel from the others.
struct LaunchFacts {
  std::int64_t number = 0;  ///< from 1, of the launches of this kernel in the process; 0: unknown
  std::array<std::int64_t, 3> grid = {}, block = {};
};

/// A counted launch. Values that are no numbers are not finite.
struct SeenLaunch {
  std::int64_t kernel = 0;
  std::vector<double> values = {};
  std::int64_t range = 0;
  std::int64_t stream = 0;  ///< by CUPTI's number
  LaunchFacts facts = {};
};

/// Launches in one form that ran since the last packet of times, and their duration.
struct SeenTime {
  std::int64_t kernel = 0;
  std::int64_t launches = 0;
  double seconds = 0;
  int device = 0;  ///< its number
  LaunchForm form = {};
  std::int64_t range = 0;
  std::int64_t stream = 0;
};

/// One timed launch, which is among the SeenTime as well.
struct SeenSingle {
  std::int64_t kernel = 0;
  std::int64_t range = 0;
  std::int64_t stream = 0;
  std::int64_t start = 0;  ///< ns, by a clock that all processes share
  double seconds = 0;
  LaunchFacts facts = {};
  int device = 0;  ///< its number
};

/// Evidence on source lines since the last packet.
struct SeenLines {
  std::int64_t period = 0;   ///< cycles between two samples of a multiprocessor
  std::int64_t dropped = 0;  ///< samples
  std::int64_t elsewhere = 0;
  std::vector<std::string> counted = {};  ///< of line_counts
  std::vector<LineEvidence> lines = {};
  std::vector<std::string> lost = {};  ///< what is missing, in words for people
};

/// One thing that the library saw; what does not belong to it is empty.
struct Seen {
  std::optional<SeenDevice> device = {};
  std::optional<SeenKernel> kernel = {};
  std::optional<SeenLaunch> launch = {};
  std::optional<SeenRange> range = {};
  std::vector<SeenTime> times = {};
  std::vector<SeenSingle> singles = {};
  std::optional<SeenLines> lines = {};
  std::int64_t launches = -1;  ///< of the process until now, chosen or not
  int rank = -1;               ///< of the process, before all else; none where it is no rank
  std::string refused = {};    ///< why nothing can be counted or timed from now on
  bool busy = false;           ///< that is because others have the GPU's counters
  std::string note = {};       ///< what makes the numbers doubtful
};

std::string seen_packet(const Seen& seen);
/// Throws InputError: the packet comes from a process that runs anything.
Seen read_seen(const std::string& packet);

}  // namespace roofline::inject
