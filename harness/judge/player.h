// The worker that runs a submission and nothing else, in a sandbox.
//
// It maps what it is given, starts its device and its threads, takes from itself system calls and
// resources, and only then loads the submission, whose constructors run at this moment. It holds no
// reference, no key, no other descriptors, and is stopped whenever it is not asked for anything.
#pragma once

#include <cstdint>
#include <string>

#include "harness/measure/worker.h"
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

/// What a worker is told to be a player (WorkerProgram::player). Without a variant it does nothing
/// when asked for 0, and a pulse when asked for another number.
struct PlayerOrder {
  std::string library = {};  ///< a plug-in's, in place of the program's own variant; or empty
  std::string place = {};    ///< Runtime::device_place of the referee's device
  ProcessLimits limits = {};
};
void fields(roofline::Fields& field, PlayerOrder& order);

/// Plays, in a process that begins its outputs with a Page.
void play(const WorkerProgram& program, const WorkerMemory& memory);

}  // namespace gpp
