// The roofs of this machine, measured once and kept: in ${XDG_CACHE_HOME:-~/.cache}/roofline, one
// file for each device, driver and revision of the benchmarks.
#pragma once

#include <filesystem>
#include <string>

#include "roofline/ceilings/measure.h"

namespace roofline {

/// Roofs, and where they come from.
struct KnownCeilings {
  Ceilings ceilings;
  bool measured = false;       ///< now, not read from the cache
  std::filesystem::path file;  ///< that keeps them; empty where no folder for it is known
  std::string not_kept;        ///< why they could not be kept; empty where they were
};

/// The folder of the cache; empty where neither XDG_CACHE_HOME nor HOME is an absolute path.
std::filesystem::path cache_folder();

std::string cache_file_name(const DeviceIdentity& device);

/// The roofs of the benchmarks' device, from `folder` unless `fresh`. What cannot be read there,
/// was measured on another device, driver or by another revision, or differs by more than a factor
/// of three from a look at two of the roofs, is measured anew. Throws std::runtime_error when
/// measuring fails or another program used the device meanwhile; nothing is kept then.
KnownCeilings known_ceilings(const Benchmarks& benchmarks, const std::filesystem::path& folder,
                             bool fresh, const Progress& progress = {});

/// Empty when the roofs of that kind of device, "host" or "gpu", can be had here, else why not.
std::string ceilings_unavailable(const std::string& kind);

/// The roofs of this machine's device of that kind, from the cache unless `fresh`. Throws
/// std::runtime_error where they cannot be had, with the reason.
Ceilings ceilings_of(const std::string& kind, bool fresh = false, const Progress& progress = {});

}  // namespace roofline
