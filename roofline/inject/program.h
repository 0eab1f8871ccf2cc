// Runs a program with the library inside, and adds up what the library sees.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
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

/// All that was sent during a run, however it ended.
struct Tally {
  std::map<std::string, KernelTally> kernels;  ///< by whole name
  std::set<std::string> devices;
  std::vector<Missing> missing;  ///< counters that the device lacks
  int passes = 0;                ///< runs of each launch that was counted
  int most_passes = 0;           ///< of those whose tensor cores were busy
  int processes = 0;             ///< that called CUDA
  std::int64_t launches = 0;     ///< chosen or not
  std::int64_t watched = 0;      ///< timed or counted
  std::set<std::string> notes;   ///< what makes the numbers doubtful
  std::string refused;           ///< why nothing, or nothing more, was timed or counted
  int status = 0;                ///< exit status; 128 + n after signal n
  int interrupted = 0;           ///< somebody wanted an end by SIGINT, SIGTERM or SIGHUP; else 0
  double seconds = 0;            ///< from start to end
  std::string last_words;        ///< the end of its standard error, where it was not shown
};

struct Run {
  std::vector<std::string>
      arguments;        ///< program first, looked up on the PATH; no shell takes part
  std::string library;  ///< file to put into it
  Task task;
  /// The program is told to end after so many launches were counted, or so many made. 0: it is not.
  std::int64_t enough = 0;
  std::int64_t enough_launches = 0;
  bool shown = true;  ///< else nobody sees its output, and its input is empty or read once more
  bool output_as_errors = false;  ///< its standard output goes to standard error
};

/// While the result lives, somebody who wants an end does not end this tool: the run that goes on,
/// or the next one, sees it.
std::shared_ptr<const void> stay_alive();

/// Returns when the program has ended, and whatever else it started has ended or fallen silent.
/// `progress` is called some ten times a second. Throws InputError where it cannot be started.
Tally run_watched(const Run& run, const std::function<void(const Tally&)>& progress);

/// Adds one packet of a process to the tally. `kernels`: names by number, of that process, and
/// `counters` the names of its values. Throws InputError for a packet that makes no sense.
struct Connection {
  std::map<std::int64_t, std::string> kernels;
  std::vector<std::string> counters;
  std::int64_t launches = 0;
};
void add_packet(const std::string& packet, Connection& connection, Tally& tally);

}  // namespace roofline::inject
