// The interface between the parts of the fake CUPTI.
#pragma once

#include <cstdlib>
#include <string_view>

#include "tests/roofline/fake_cuda/fake.h"

namespace fake {

void time(const Kernel& kernel);     ///< activity.cpp
void count(const Kernel& kernel);    ///< ranges.cpp
void unload();                       ///< ranges.cpp
void execute(const Kernel& kernel);  ///< lines.cpp

/// FAKE_CUPTI_REFUSES names a function that the user has no right to, or "hardware":
/// then only what needs no instrumented instructions is refused.
inline bool refuses(std::string_view function) {
  const char* refused = std::getenv("FAKE_CUPTI_REFUSES");
  return refused != nullptr && function == refused;
}

/// What a function gives, in the place that it was told of.
template <typename Value, typename Told>
CUptiResult gives(Value& place, Told value) {
  place = static_cast<Value>(value);
  return CUPTI_SUCCESS;
}

}  // namespace fake

#define FAKE_MAY_REFUSE() \
  if (fake::refuses(__func__)) return CUPTI_ERROR_INSUFFICIENT_PRIVILEGES

/// A function that has nothing to do.
#define FAKE_ACCEPTS(function, Params) \
  CUptiResult function(Params*) { return CUPTI_SUCCESS; }
