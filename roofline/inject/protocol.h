// What `roofline record` and the library inside the program tell each other: packets of JSON over a
// local socket (unix(7), SOCK_SEQPACKET), one connection for each process of the program.
//
// The library connects, and is told its task. It answers with what it sees, packet by packet: what
// was sent is known, however the program ends.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "roofline/counters.h"
#include "roofline/inject/selection.h"
#include "roofline/launch_form.h"

namespace roofline::inject {

/// The environment variable that names the socket.
inline constexpr const char* socket_variable = "ROOFLINE_SOCKET";

/// Counters that take many passes and that most kernels leave at zero. All of them are zero where
/// two counters of every launch are equal: `sign`, and the part of it that means nothing.
struct Further {
  std::string sign;
  std::string harmless;  ///< a chip may lack it: then the sign must be zero
  std::vector<std::string> counters;
};

/// What the library shall do.
struct Task {
  std::vector<std::string> counters;  ///< of every launch; empty: take times
  /// Of the first launch of each kernel, and of the later ones where the sign was not zero.
  Further further;
  Selection selection;
  bool marked = false;  ///< take work that the program marks (MarkedWork)

  bool counts() const { return !counters.empty(); }
  bool follows_ranges() const { return marked || !selection.nvtx.empty(); }
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

/// A counted launch. Values that are no numbers are not finite.
struct SeenLaunch {
  std::int64_t kernel = 0;
  std::vector<double> values = {};
};

/// Launches in one form that ran since the last packet of times, and their duration.
struct SeenTime {
  std::int64_t kernel = 0;
  std::int64_t launches = 0;
  double seconds = 0;
  int device = 0;  ///< its number
  LaunchForm form = {};
};

/// Work that the program marked: that of all launches within a range.
struct SeenMark {
  std::int64_t kernel = 0;    ///< the only one that was launched there
  std::int64_t launches = 0;  ///< there
  std::string what = {};      ///< precision or level of memory
  double amount = 0;          ///< operations or bytes
  int device = 0;             ///< its number
};

/// One thing that the library saw; what does not belong to it is empty.
struct Seen {
  std::optional<SeenDevice> device = {};
  std::optional<SeenKernel> kernel = {};
  std::optional<SeenLaunch> launch = {};
  std::vector<SeenTime> times = {};
  std::optional<SeenMark> mark = {};
  std::int64_t launches = -1;  ///< of the process until now, chosen or not
  int rank = -1;               ///< of the process, before all else; none where it is no rank
  std::string refused = {};    ///< why nothing can be counted or timed from now on
  std::string note = {};       ///< what makes the numbers doubtful
};

std::string seen_packet(const Seen& seen);
/// Throws InputError: the packet comes from a process that runs anything.
Seen read_seen(const std::string& packet);

}  // namespace roofline::inject
