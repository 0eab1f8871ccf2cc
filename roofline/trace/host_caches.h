// The data caches of this machine's processor, as Linux tells them.
#pragma once

#include <filesystem>
#include <vector>

#include "roofline/trace/cache_model.h"

namespace roofline {

/// Of the core that a CPU belongs to, nearest first. A cache that cores share is given whole.
/// Empty where the system does not tell. `system`: the folder of the CPU, "/sys/devices/...".
std::vector<CacheShape> host_caches(
    const std::filesystem::path& system = "/sys/devices/system/cpu/cpu0/cache");

}  // namespace roofline
