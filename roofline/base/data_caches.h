// The data caches of a processor as Linux tells them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace roofline {

/// A level that holds data, instructions beside them or not. 0 or empty: not told.
struct DataCache {
  int level = 0;
  double bytes = 0;
  int ways = 0;
  int line = 0;             ///< bytes
  std::string shared_cpus;  ///< "0-3,8"
};

/// Those of a CPU, whose folder is "/sys/devices/system/cpu/cpu0/cache", with a level and a size,
/// in the order of their files. Empty where the system does not tell.
std::vector<DataCache> data_caches(const std::filesystem::path& folder);

}  // namespace roofline
