// The interface between the fake CUPTI's parts.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "tests/roofline/fake_cuda/fake.h"

namespace fake {

void time(const Kernel& kernel);     ///< defined in callbacks.cpp
void count(const Kernel& kernel);    ///< defined in counting.cpp
void unload();                       ///< defined in counting.cpp
void execute(const Kernel& kernel);  ///< defined in lines.cpp

bool samples();  ///< PC sampling is enabled; defined in lines.cpp

/// FAKE_CUPTI_SAYS names something wrong or unusual that CUPTI tells.
inline bool says(std::string_view what) {
  const char* said = std::getenv("FAKE_CUPTI_SAYS");
  return said != nullptr && what == said;
}

/// FAKE_CUPTI_REFUSES names a function that is refused, or "hardware", which refuses everything
/// that needs no instrumentation.
inline bool refuses(std::string_view function) {
  const char* refused = std::getenv("FAKE_CUPTI_REFUSES");
  return refused != nullptr && function == refused;
}

/// A configuration is its number of passes, for a device's counters.
struct Config {
  std::uint64_t passes = 1;
  int device = 0;
};

/// Counter data: the kernels of all ranges, in the caller's bytes.
struct Image {
  std::uint64_t most = 0;
  std::uint64_t ranges = 0;
  std::uint64_t passes = 0;      ///< number of passes, if all were run
  std::uint64_t own_device = 1;  ///< 0: the configuration is for another device
  /// The names, which follow this header; of a range of several kernels "k1+k2".
  const char** names() { return reinterpret_cast<const char**>(this + 1); }
  const char* const* names() const { return reinterpret_cast<const char* const*>(this + 1); }
};

/// Stores a function's result in the given place.
template <typename Value, typename Told>
CUptiResult gives(Value& place, Told value) {
  place = static_cast<Value>(value);
  return CUPTI_SUCCESS;
}

}  // namespace fake

#define FAKE_MAY_REFUSE() \
  if (fake::refuses(__func__)) return CUPTI_ERROR_INSUFFICIENT_PRIVILEGES

/// A function that does so much, and may say that it was refused: what ends something ends it.
#define FAKE_ENDS(function, Params, ...)                  \
  CUptiResult function([[maybe_unused]] Params* params) { \
    __VA_ARGS__;                                          \
    FAKE_MAY_REFUSE();                                    \
    return CUPTI_SUCCESS;                                 \
  }

/// A function that does so much, or is refused.
#define FAKE_DOES(function, Params, ...)                  \
  CUptiResult function([[maybe_unused]] Params* params) { \
    FAKE_MAY_REFUSE();                                    \
    __VA_ARGS__;                                          \
    return CUPTI_SUCCESS;                                 \
  }
