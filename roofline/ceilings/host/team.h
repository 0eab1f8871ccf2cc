// The processor's name, cores and caches. And all its cores at work at once, one bound thread per
// CPU: the best of several runs, the clock of a core, and bandwidth over working sets.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "roofline/ceilings/measure.h"

namespace roofline::host {

/// A level of data cache as seen by one core.
struct Cache {
  int level = 0;
  double bytes = 0;  ///< size in bytes of one cache instance
  int cpus = 1;      ///< usable CPUs of this process that share an instance
};

/// The caches listed in a CPU's folder, such as "/sys/devices/system/cpu/cpu0/cache", that hold
/// data and have a level and a size, nearest first; `cpus` are usable.
std::vector<Cache> data_caches(const std::filesystem::path& folder, const std::vector<int>& cpus);

struct Processor {
  std::string name;
  int cores = 0;              ///< physical cores of the usable CPUs
  std::vector<Cache> caches;  ///< nearest first; empty if the system does not report them
};

/// The "key : value" lines of the first processor in /proc/cpuinfo.
std::map<std::string, std::string> cpuinfo();

/// This machine's processor, as Linux reports it.
Processor this_processor(const std::vector<int>& cpus);

/// The clock in MHz, from a chain of integer additions in registers, which take one cycle each on
/// current processors; about 50 microseconds. 0 for unknown processors.
double core_clock_mhz();

/// Calls work(thread) on one bound thread per CPU, so that private caches and memory remain its
/// own, `repetitions` times with a common start; a repetition lasts from the first start to the
/// last end. The roof is the best repetition, because other programs can only slow it down.
Best best_of(const std::vector<int>& cpus, int repetitions,
             const std::function<void(std::size_t thread)>& work);

/// Working sets are multiples of this size.
inline constexpr std::size_t read_granule = 1024;

/// Memory of one thread, in large pages if available. Throws std::runtime_error if there is too
/// little.
std::shared_ptr<std::byte> untouched_memory(std::size_t bytes);

/// Loads the first `bytes` of the data, `passes` times, with full vectors, as four parallel
/// streams. Each vector is ORed into one of eight registers, which every processor does as fast as
/// it loads.
void read_passes(const std::byte* data, std::size_t bytes, long long passes);

struct Sweep {
  std::vector<SweepPoint> points;  ///< bytes per core, B/s of all cores
  double clock_mhz = 0;
};

/// The working sets per core: from 8 KiB in four steps per octave to 16 times the core's share of
/// the last cache (512 MB for all cores if that is unknown or larger), but at most `memory` for all
/// cores together.
std::vector<std::size_t> working_sets(const Processor& processor, std::size_t cpus, double memory);

/// Measures all working sets; progress goes from `begin` to 1.
Sweep measure_sweep(const std::vector<int>& cpus, const std::vector<std::size_t>& sets,
                    const Progress& progress, double begin);

}  // namespace roofline::host
