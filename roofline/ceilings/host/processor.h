// Known facts about the processor: caches, cores, and operations of a core per cycle.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roofline::host {

/// Arithmetic instructions per core and cycle, for one vector width.
struct Rates {
  int fused = 0;     ///< number of fused multiply-adds
  int separate = 0;  ///< separate multiplications and additions, half of each
};

/// Rates per core and cycle.
struct PerCycle {
  int vector_bytes = 0;  ///< bytes of its widest vectors
  Rates widest;          ///< rates on the widest vectors
  Rates narrower;        ///< rates of narrower vectors, and scalars
  int load_bytes = 0;    ///< bytes loaded from the first-level cache
  int l2_bytes = 0;      ///< bytes loaded from the second-level cache
};

/// Returns nothing for a processor that is not in the table; nothing is guessed.
std::optional<PerCycle> per_cycle(std::string_view vendor, int family, int model);

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
  std::optional<PerCycle> per_cycle;
};

/// The "key : value" lines of the first processor in /proc/cpuinfo.
std::map<std::string, std::string> cpuinfo();

/// This machine's processor, as Linux reports it.
Processor this_processor(const std::vector<int>& cpus);

}  // namespace roofline::host
