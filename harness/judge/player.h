// The process that runs a submission and nothing else: this program, started anew in a sandbox.
//
// It maps what it is given, starts its device and its threads, takes from itself system calls and
// resources, and only then loads the submission, whose constructors run at this moment. It holds no
// reference, no key, no other descriptors, and is stopped whenever it is not asked for anything.
#pragma once

#include <cstdint>
#include <string>

#include "harness/kernel.h"
#include "roofline/record/fields.h"

namespace gpp {

/// What a process takes from itself before it runs somebody else's code.
struct ProcessLimits {
  /// A filter on all threads: no new processes and programs, no sockets, no look at and no signal
  /// to other processes, no change of its affinity, priority, group or session, no mounts, and so
  /// on. They fail with EPERM. New threads are allowed.
  bool system_calls = true;
  bool refuse_writing = false;  ///< the filter also refuses to open files for writing
  bool resources = true;
  std::uint64_t memory_bytes = 0;  ///< address space; 0: as much as it likes
  bool binds_threads = false;      ///< the filter allows to tie them to cores
};

/// Takes them for good. Returns why that was impossible; empty where they hold.
std::string limit_this_process(const ProcessLimits& limits);

/// The part of a player.
struct PlayerOrder {
  /// A step of the tree. Without a variant the player does nothing when asked for 0, and a pulse
  /// when asked for another number.
  std::string kernel, variant, model, kind;
  std::string library = {};                  ///< a plug-in's, in place of the step; or empty
  std::string place = {};                    ///< Runtime::device_place of the referee's device
  int page = -1, inputs = -1, outputs = -1;  ///< descriptors; the latter two on a host
  ProcessLimits limits = {};
};
void fields(roofline::Fields& field, PlayerOrder& order);

/// Before the text of an order in the arguments of a player. Alone it tries whether one starts.
inline constexpr const char* player_word = "--play";

/// Of the order's step, or of its library. Throws std::runtime_error.
Call call_of(const PlayerOrder& order);

/// The runtime on which variants of that model run. Throws std::runtime_error.
const Runtime& runtime_of(const Kernel& kernel, const std::string& model, const std::string& kind);

/// Plays, where the arguments are those of a player. Returns whether they were.
bool play_if_asked(int argc, const char* const* argv);

}  // namespace gpp
