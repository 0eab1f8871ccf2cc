// Known facts about the processor: its name, cores and caches.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

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

}  // namespace roofline::host
