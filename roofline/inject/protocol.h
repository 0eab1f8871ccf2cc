// The protocol between `roofline record` and the injected library: JSON packets over a local socket
// (unix(7), SOCK_SEQPACKET), one connection per process of the program.
//
// The library connects, receives its task, and reports what it sees packet by packet, so that data
// already sent survives any end of the program. Each packet stands for itself. A program may send
// forged ones; docs/roofline.md documents the limits of what is accepted.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "roofline/counters.h"
#include "roofline/inject/selection.h"
#include "roofline/launch_form.h"
#include "roofline/line_recorder.h"
#include "roofline/record/lines.h"

namespace roofline::inject {

namespace limits {

/// Processes that are watched at the same time.
inline constexpr std::size_t processes = 500;

/// Bytes of a packet, which may hold the very long name of a C++ template.
inline constexpr std::size_t packet = 192 << 10;
inline constexpr std::size_t name = 16 << 10;

/// Kernels in ranges, of all devices and ranks; further ones share a name. NVTX ranges, their depth
/// and the bytes of a name; launches in a further range belong to its parent. Bytes of all names.
inline constexpr std::size_t kernels = 50'000;
inline constexpr std::size_t ranges = 10'000;
inline constexpr std::size_t range_depth = 32;
inline constexpr std::size_t range_name = 500;
inline constexpr std::size_t name_bytes = 64 << 20;
/// Open ranges of a process that are remembered.
inline constexpr std::size_t open_ranges = 1000;

inline constexpr std::size_t devices = 64;
/// Numbers of ranks of a program that mpirun started.
inline constexpr int ranks = 4096;
/// Launch forms per kernel, and for all kernels together.
inline constexpr std::size_t forms = 256;
inline constexpr std::size_t all_forms = 200'000;
/// Notes, and bytes of each.
inline constexpr std::size_t notes = 100;
inline constexpr std::size_t note = 2000;

/// The tool listens this long to processes that outlive the program.
inline constexpr std::chrono::seconds afterwards{5};

}  // namespace limits

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
  /// The rank to watch in this run; -1 means processes without a rank. Empty: all.
  std::optional<int> rank = {};
  /// If set, find source lines instead of times and counters.
  std::optional<LineMode> lines = {};
  int period = 16;  ///< a sample every 2^period cycles

  bool counts() const { return !counters.empty(); }
};

/// A device that the program uses, with its counters when counting.
struct SeenGpu {
  std::string key = {};        ///< its UUID, equal in all processes, or else name and number
  std::string name = {};       ///< "NVIDIA H200"
  int number = 0;              ///< number of the device in its process
  int compute_capability = 0;  ///< 90 for 9.0; 0: unknown
};

/// Launches of one kernel: since the last packet, or of a whole run.
struct KernelTally {
  std::int64_t launches = 0;             ///< timed or counted
  double seconds = 0;                    ///< of timed runs
  Counters counters = {};                ///< not finite where a launch has no value
  std::vector<FormLaunches> forms = {};  ///< of timed runs
  bool more_forms = false;               ///< true if some forms had no room

  /// Adds further launches; of new forms at most `room`.
  void add(const KernelTally& more, std::size_t room);
  void add(const FormLaunches& form, std::size_t room);
};

/// Launches of one kernel in one range, since the last packet.
struct SeenLaunches {
  std::string kernel = {};
  std::string gpu = {};                ///< SeenGpu::key
  std::vector<RangeName> ranges = {};  ///< NVTX ranges around them, outermost first
  KernelTally tally = {};
};

/// One report of the library; fields that do not apply are empty.
struct Seen {
  std::optional<SeenGpu> gpu = {};
  std::optional<SeenLaunches> launched = {};
  std::optional<LinesRecord> lines = {};  ///< evidence on source lines since the last packet
  std::int64_t launches = 0;              ///< launches since the last packet, selected or not
  int rank = -1;             ///< rank of the process, sent first; absent without a rank
  std::string refused = {};  ///< reason why counting or timing has ended
  std::string note = {};     ///< reason to doubt the numbers
};

void fields(Fields& field, Task& task);
void fields(Fields& field, Seen& seen);

// ---- Ranks: what mpirun or srun tell of a process -----------------------------------------------

struct Rank {
  int number = 0;
  bool first_of_host = true;
};

/// Reads the variables of Open MPI, of MPICH's and Intel's hydra, or of Slurm. Returns nothing
/// unless one shows several ranks with a valid number; a Slurm batch script is no rank. `variable`
/// returns an environment variable, or nullptr.
std::optional<Rank> rank_told_by(const std::function<const char*(const char*)>& variable);

/// Parses a number of a rank or of ranks; empty for other texts.
std::optional<int> rank_number(std::string_view text);

/// Returns "results/a/rank-3" for "results/a".
std::string folder_of_rank(const std::string& folder, int rank);

}  // namespace roofline::inject
