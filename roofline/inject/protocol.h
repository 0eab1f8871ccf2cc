// The protocol between `roofline record` and the injected library: JSON packets over a local socket
// (unix(7), SOCK_SEQPACKET), one connection per process of the program.
//
// The library connects, receives its task, and reports what it sees packet by packet, so that data
// already sent survives any end of the program.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "roofline/counters.h"
#include "roofline/inject/ranges.h"
#include "roofline/inject/selection.h"
#include "roofline/launch_form.h"
#include "roofline/line_recorder.h"
#include "roofline/record/lines.h"

namespace roofline::inject {

/// The environment variable with the socket's path.
inline constexpr const char* socket_variable = "ROOFLINE_SOCKET";

/// Counters that take many passes and that most kernels leave at zero. All of them are zero where
/// two counters of every launch are equal: `sign`, and the part of it that means nothing; but for
/// those of bulk copies, which the first launch of a kernel tells.
struct Further {
  std::string sign;
  std::string harmless;  ///< the chip may lack it; then the sign must be zero
  std::vector<std::string> counters;
};

/// The library's task.
struct Task {
  std::vector<std::string> counters;  ///< of every launch; empty: take times
  /// The counters of each kernel's first launch, and of the later ones where one was not zero.
  Further further;
  Selection selection;
  /// The ranks to watch in this run; -1 means processes without a rank. Empty: all.
  std::vector<int> ranks = {};
  /// If set, find source lines instead of times and counters.
  std::optional<LineMode> lines = {};
  int period = 16;  ///< a sample every 2^period cycles

  bool counts() const { return !counters.empty(); }
  bool is_turn_of(int rank) const {
    return ranks.empty() || std::find(ranks.begin(), ranks.end(), rank) != ranks.end();
  }
};

std::string task_packet(const Task& task);
/// Parses the task. Throws InputError.
Task read_task(const std::string& packet);

/// A context's device and, when counting, its counters. Later packets refer to it, except times,
/// which name their device.
struct SeenDevice {
  std::string name = {};                   ///< "NVIDIA H200"
  int number = 0;                          ///< number of the device in its process
  std::string uuid = {};                   ///< UUID, equal in all processes; may be empty
  int compute_capability = 0;              ///< 90 for 9.0; 0: unknown
  std::vector<std::string> counters = {};  ///< counters in the order of launch values
  int passes = 0;                          ///< number of passes per launch
  int most_passes = 0;                     ///< passes with the further counters
  std::vector<Missing> missing = {};
};

/// A kernel; sent before its first launch or time.
struct SeenKernel {
  std::int64_t id = 0;  ///< number of the kernel in its process
  std::string name = {};
};

/// An NVTX range with its parent; sent before the first launch in it.
struct SeenRange {
  std::int64_t id = 0;      ///< within the process, from 1
  std::int64_t parent = 0;  ///< number of the parent range; 0: none
  RangeName range = {};
};

/// A counted launch. Missing values are not finite.
struct SeenLaunch {
  std::int64_t kernel = 0;
  std::vector<double> values = {};
  std::int64_t range = 0;
};

/// The number and duration of launches in one form since the last packet.
struct SeenTime {
  std::int64_t kernel = 0;
  std::int64_t launches = 0;
  double seconds = 0;
  int device = 0;  ///< number of the device
  LaunchForm form = {};
  std::int64_t range = 0;
};

/// One report of the library; fields that do not apply are empty.
struct Seen {
  std::optional<SeenDevice> device = {};
  std::optional<SeenKernel> kernel = {};
  std::optional<SeenLaunch> launch = {};
  std::optional<SeenRange> range = {};
  std::vector<SeenTime> times = {};
  std::optional<LinesRecord> lines = {};  ///< evidence on source lines since the last packet
  std::int64_t launches = -1;             ///< launches of the process so far, selected or not
  int rank = -1;             ///< rank of the process, sent first; absent without a rank
  std::string refused = {};  ///< reason why counting or timing has ended
  bool busy = false;         ///< the reason is that others use the counters
  std::string note = {};     ///< reason to doubt the numbers
};

std::string seen_packet(const Seen& seen);
/// Parses a packet. Throws InputError, because any process may have sent it.
Seen read_seen(const std::string& packet);

}  // namespace roofline::inject
