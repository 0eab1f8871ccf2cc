// Counting on processors through a LIKWID of any name: for tests.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "roofline/host_counters.h"

namespace roofline::likwid {

/// Through the first library of these names that can be loaded. Trying it out may take `limit`
/// seconds.
std::unique_ptr<HostCounters> counters_of(const std::vector<std::string>& libraries,
                                          double limit = 10);

}  // namespace roofline::likwid
