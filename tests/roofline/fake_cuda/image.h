// Counter data of the fake CUPTI: the kernels of the ranges, in the bytes that the caller owns.
#pragma once

#include <cstdint>

namespace fake {

/// A configuration is its number of passes, for the counters that a device has.
struct Config {
  std::uint64_t passes = 1;
  int device = 0;
};

struct Image {
  std::uint64_t most = 0;
  std::uint64_t ranges = 0;
  std::uint64_t passes = 0;      ///< of the configuration that they were counted with
  std::uint64_t own_device = 1;  ///< 0: the configuration was made for another device
  /// Behind it: as many names.
  const char** names() { return reinterpret_cast<const char**>(this + 1); }
  const char* const* names() const { return reinterpret_cast<const char* const*>(this + 1); }
};

}  // namespace fake
