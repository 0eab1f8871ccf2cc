// A CUPTI that does as a test tells it, and remembers what it was asked.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "roofline/cupti/functions.h"

namespace roofline::cupti {

struct FakeCupti {
  int passes = 1;          ///< after which all are submitted; 0: never
  std::size_t ranges = 1;  ///< in the counter data
  std::size_t dropped = 0;
  std::map<std::string, double> values;         ///< by counter: what the chip has
  std::set<std::string> cannot_count;           ///< known, but refused when they are to be added
  std::map<std::string, CUptiResult> refusals;  ///< by function
  CUpti_Profiler_DeviceSupported_Params support = {};

  std::vector<std::string> calls;  ///< without the prefix "cupti", in order
  int stopped = 0;                 ///< passes done
};

/// The one that fake_functions() speaks to; a test sets it anew.
FakeCupti& fake();

Functions fake_functions();

}  // namespace roofline::cupti
