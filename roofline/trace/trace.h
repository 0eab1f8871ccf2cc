// The memory accesses and the basic blocks of code that the compiler instrumented.
//
// A source compiled with the options of cmake/Traced.cmake calls this at each access
// (-fsanitize=thread, whose functions trace.cpp defines in place of the sanitizer's) and at the
// beginning of each basic block (-fsanitize-coverage=trace-pc). It is compiled without vectors of
// the compiler's own making, so what is counted is the work as the source writes it, each number
// for itself. Local variables count as registers.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "roofline/trace/cache_model.h"

namespace roofline {

struct Trace {
  std::uint64_t loads = 0;  ///< accesses
  std::uint64_t stores = 0;
  double l1_bytes = 0;               ///< between the arithmetic and the nearest cache
  std::vector<double> bytes_behind;  ///< by level of cache, nearest first
  /// Times that control came to the place behind each call at the beginning of a block; places as
  /// nm and objdump count them in the file.
  std::map<std::uint64_t, std::uint64_t> blocks;
  bool other_threads = false;  ///< some of it happened on other threads, and is missing here
};

/// From here on all that instrumented code does on this thread is noted, on empty caches.
void begin_trace(const std::vector<CacheShape>& caches);

/// Ends that, and tells.
Trace end_trace();

}  // namespace roofline
