// Measured roofs of this machine are stored in ${XDG_CACHE_HOME:-~/.cache}/roofline, one file per
// device, driver and revision of the benchmarks.
#pragma once

#include <filesystem>
#include <string>

#include "roofline/ceilings/measure.h"

namespace roofline {

/// The folder of the cache; empty if neither XDG_CACHE_HOME nor HOME is an absolute path.
std::filesystem::path cache_folder();

/// The roofs of the benchmarks' device, from `folder` unless `fresh`. They are measured again if
/// the file is unreadable or belongs to another device, driver or revision. A folder that cannot be
/// written is told on standard error. Throws std::runtime_error if measuring fails or another
/// program used the device meanwhile; nothing is stored then.
Ceilings known_ceilings(const Benchmarks& benchmarks, const std::filesystem::path& folder,
                        bool fresh, const Progress& progress = {});

/// Returns why the roofs of a "host" or "gpu" cannot be obtained here, or "".
std::string ceilings_unavailable(const std::string& kind);

/// The roofs of this machine's device of that kind, from the cache unless `fresh`. Throws
/// std::runtime_error with the reason if they cannot be obtained.
Ceilings ceilings_of(const std::string& kind, bool fresh = false, const Progress& progress = {});

}  // namespace roofline
