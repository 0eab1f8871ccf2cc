// Trajectories: variants timed and counted on a growing part of one device (`gpp trajectory`).
//
// On a GPU one process times on all the numbers, in green contexts, and never calls CUPTI, which
// would forbid these. Another counts in the device's own context. On a host each number has a
// process of its own, whose cores are chosen where it is started, and which counts itself. Each
// process writes one JSON document per line; where one crashes or hangs, what it wrote is kept.
#pragma once

#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "harness/measure/measure.h"
#include "harness/measure/selection.h"
#include "harness/record/trajectory.h"
#include "roofline/base/process.h"

namespace gpp {

/// A size of input by the word it was asked for with.
struct TrajectorySize {
  std::string name;
  SourceRequest source;
};

/// The sizes of these words: presets of the kernel, else files or names of bundled inputs. A file
/// is looked at, so that a mistake ends everything before anything starts; "" is the kernel's
/// default. Throws InputError, with the names there are.
std::vector<TrajectorySize> trajectory_sizes(const Kernel& kernel,
                                             const std::vector<std::string>& words,
                                             std::uint64_t seed);

/// Numbers of units as they were asked for, in order and each once. Throws InputError where one is
/// not a whole number from 1 to `all`. Without words: of multiprocessors 8, 16, 32, 48 and so on,
/// of cores 1, 2, 4, 8 and so on, and all of them.
std::vector<int> trajectory_units(const std::vector<std::string>& words, const std::string& kind,
                                  int all);

enum class TrajectoryMode { time, count };

// ---- The processes that run the variants --------------------------------------------------------

struct TrajectoryTask {
  TrajectoryMode mode = TrajectoryMode::time;
  const Kernel* kernel = nullptr;
  std::vector<TrajectorySize> sizes;
  std::vector<int> units;
  StudyOptions options;
  std::vector<Choice> choices;  ///< all of one kind of device
};

/// Does it, and writes what it finds line by line, at once. What is thrown becomes a line. Returns
/// whether everything went well.
bool run_trajectory_task(const TrajectoryTask& task, std::FILE* out);

/// The hardware's counters of the bytes and transactions of every level of memory of a GPU.
std::vector<std::string> traffic_counters();

/// The counts of a whole device on fewer units: operations and instructions stay, as do the bytes
/// of what each unit has to itself (L1, shared memory). Bytes beyond are those of `bytes`, counted
/// on so many units; where it is empty they are missing, for that reason.
roofline::Counted counted_on_fewer(const roofline::Counted& whole, const roofline::Counters& bytes,
                                   const std::string& reason);

// ---- The process that asked for it --------------------------------------------------------------

struct TrajectoryPlan {
  const Kernel* kernel = nullptr;
  std::string kind, device;
  int all_units = 0;
  std::vector<std::string> sizes;
  std::vector<int> units;
  bool counts = true;  ///< where a GPU's hardware is to be asked
};

/// Starts a process for a mode and these numbers, and waits for its end.
using TrajectoryElsewhere =
    std::function<roofline::Finished(TrajectoryMode mode, const std::vector<int>& units)>;

/// All processes, put together. What is missing is in Trajectory::lost; an interruption ends it
/// early. `keep` is called with what is there after each process.
Trajectory measure_trajectory(const TrajectoryPlan& plan, const TrajectoryElsewhere& run,
                              const std::function<void(const Trajectory&)>& keep = {});

}  // namespace gpp
