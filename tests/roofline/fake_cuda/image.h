// Counter data of the fake CUPTI: the kernels of all ranges, in the caller's bytes.
#pragma once

#include <cstdint>

namespace fake {

/// A configuration is its number of passes, for a device's counters.
struct Config {
  std::uint64_t passes = 1;
  int device = 0;
};

struct Image {
  std::uint64_t most = 0;
  std::uint64_t ranges = 0;
  std::uint64_t passes = 0;      ///< number of passes in the configuration
  std::uint64_t own_device = 1;  ///< 0: the configuration is for another device
  /// The names, which follow this header.
  const char** names() { return reinterpret_cast<const char**>(this + 1); }
  const char* const* names() const { return reinterpret_cast<const char* const*>(this + 1); }
};

}  // namespace fake
