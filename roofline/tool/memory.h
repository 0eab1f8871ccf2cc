// What moved between the levels of memory in the kernels of a profile.
#pragma once

#include <vector>

#include "roofline/profile.h"
#include "roofline/view/chart_files.h"
#include "roofline/view/memory_chart.h"

namespace roofline {

/// The memory charts of the kernels with most of the time, where the bytes of their levels are
/// known. The names begin with the numbers of kernels.
std::vector<MemoryChart> profile_memory(const Profile& profile);

/// The charts as a file, memory.svg; none where nothing is known.
std::vector<Picture> memory_pictures(const Profile& profile);

}  // namespace roofline
