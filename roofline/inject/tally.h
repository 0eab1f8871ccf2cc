// What a run of a program showed, added up packet by packet. Packets may be forged: whatever they
// say, a tally stays within the limits of limits.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "roofline/counters.h"
#include "roofline/inject/protocol.h"

namespace roofline::inject {

/// All launches of one kernel in a run together, in all processes.
struct KernelTally {
  std::int64_t launches = 0;  ///< timed or counted
  double seconds = 0;         ///< of a timed run
  Counters counters;  ///< of a counted run; a counter without a value in some launch is not here
  std::set<std::string> lost;  ///< such counters
};

/// All launches of one CUDA graph in a timed run together.
struct GraphTally {
  std::int64_t launches = 0;
  std::map<std::string, KernelTally> kernels;  ///< what of these ran within it, by whole name
};

/// All evidence on source lines in a run together, in all processes.
struct LinesTally {
  std::int64_t period = 0, dropped = 0, elsewhere = 0;  ///< as in SeenLines
  std::set<std::string> counted;
  LineSums lines;
  std::map<std::string, SeenCode> code;  ///< by file
  std::set<std::string> lost;
};

/// All that was sent during a run, however it ended.
struct Tally {
  std::map<std::string, KernelTally> kernels;  ///< by whole name
  std::map<std::string, GraphTally> graphs;    ///< by name; a part of the kernels
  std::size_t within = 0;                      ///< kernels of all graphs
  LinesTally lines;
  std::set<std::string> devices;
  std::vector<Missing> missing;  ///< counters that the device lacks
  int passes = 0;                ///< runs of each launch that was counted
  int most_passes = 0;           ///< of those whose tensor cores were busy
  int processes = 0;             ///< that called CUDA
  std::int64_t launches = 0;     ///< chosen or not
  std::int64_t watched = 0;      ///< timed or counted
  std::set<std::string> notes;   ///< what makes the numbers doubtful; see add_note
  std::string refused;           ///< why nothing, or nothing more, was timed or counted
  int status = 0;                ///< exit status; 128 + n after signal n
  int interrupted = 0;           ///< somebody wanted an end by SIGINT, SIGTERM or SIGHUP; else 0
  double seconds = 0;            ///< from start to end
  std::string last_words;        ///< the end of its standard error, where it was not shown

  std::set<std::string> asked;  ///< counters of the task: no process may tell of others
  std::set<std::string> names;  ///< of kernels, as processes told them
  std::size_t name_bytes = 0;   ///< of these
};

/// A process that talks to us.
struct Connection {
  std::vector<const std::string*> kernels;  ///< names by number; they lie in the tally
  std::int64_t named = 0;                   ///< kernels, those without a name of their own as well
  std::vector<std::string> counters;        ///< in the order of the values of launches
  std::int64_t launches = 0;
};

/// Adds one packet of a process to the tally. Throws InputError for a packet that makes no sense.
void add_packet(const std::string& packet, Connection& connection, Tally& tally);

/// Notes what makes the numbers doubtful, as far as there is room for it (limits.h).
void add_note(const std::string& note, Tally& tally);

}  // namespace roofline::inject
