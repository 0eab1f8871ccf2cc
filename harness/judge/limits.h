// What a process takes from itself before it runs somebody else's code: system calls and resources.
#pragma once

#include <cstdint>
#include <string>

namespace gpp {

struct ProcessLimits {
  bool system_calls = true;     ///< a filter on all threads
  bool refuse_writing = false;  ///< the filter also refuses to open files for writing
  bool resources = true;
  std::uint64_t memory_bytes = 0;  ///< address space; 0: as much as it likes
  bool binds_threads = false;      ///< the filter allows to tie them to cores
};

/// No new processes and programs, no sockets, no look at and no signal to other processes, no
/// change of its affinity, priority, group or session, no mounts, and so on: they fail with EPERM,
/// in every thread. New threads are allowed. Returns why that was impossible; empty where it holds.
std::string refuse_system_calls(const ProcessLimits& limits);

/// Takes both from this process, for good. Returns why that was impossible; empty where they hold.
std::string limit_this_process(const ProcessLimits& limits);

}  // namespace gpp
