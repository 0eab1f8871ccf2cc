// Trajectories: variants timed and counted on a growing part of one device (`gpp trajectory`).
//
// Each number of units is a study whose workers are confined to them: to green contexts of a GPU,
// which exclude CUPTI, or to cores. What a GPU moves is counted afterwards, in workers that have
// the device's own context.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "harness/measure/measure.h"
#include "harness/measure/selection.h"
#include "harness/record/trajectory.h"

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

/// The hardware's counters of the bytes and transactions of every level of memory of a GPU.
std::vector<std::string> traffic_counters();

/// The counts of a whole device on fewer units: operations and instructions stay, as do the bytes
/// of what each unit has to itself (L1, shared memory). Bytes beyond are those of `bytes`, counted
/// on so many units; where it is empty they are missing, for that reason.
roofline::Counted counted_on_fewer(const roofline::Counted& whole, const roofline::Counters& bytes,
                                   const std::string& reason);

struct TrajectoryPlan {
  const Kernel* kernel = nullptr;
  std::string kind, device;
  int all_units = 0;
  std::vector<TrajectorySize> sizes;
  std::vector<int> units;
  StudyOptions options;
  std::vector<Choice> choices;  ///< all of one kind of device
};

/// What is missing is in Trajectory::lost; an interruption ends it early. `keep` is called with
/// what is there after each study.
Trajectory measure_trajectory(const TrajectoryPlan& plan,
                              const std::function<void(const Trajectory&)>& keep = {});

/// These processors, the first of each physical core before the others: "0,1" and "2,3" being one
/// core each, 0 2 1 3. In their own order where the system does not tell.
std::vector<int> cores_first(const std::vector<int>& processors,
                             const std::filesystem::path& root = "/");

}  // namespace gpp
