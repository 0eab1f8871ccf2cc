// Known facts of the processor: its caches, its cores, and the operations of a core per cycle.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roofline::host {

/// Instructions of arithmetic per core and cycle, at one width of vector.
struct Rates {
  int fused = 0;     ///< fused multiply-adds
  int separate = 0;  ///< multiplications and additions together, half and half
};

/// Per core and cycle.
struct PerCycle {
  int vector_bytes = 0;  ///< of its widest vectors
  Rates widest;          ///< with these
  Rates narrower;        ///< with any below, and scalars
  int load_bytes = 0;    ///< from the first-level cache
  int l2_bytes = 0;      ///< from the second-level cache
};

/// Empty for a processor that is not in the table: nothing is guessed.
std::optional<PerCycle> per_cycle(std::string_view vendor, int family, int model);

/// A level of data cache as one core sees it.
struct Cache {
  int level = 0;
  double bytes = 0;  ///< of one instance
  int cpus = 1;      ///< that share an instance, of those that this process may use
};

struct Processor {
  std::string name;
  int cores = 0;              ///< physical ones among the CPUs that this process may use
  std::vector<Cache> caches;  ///< nearest first; empty where the system does not tell
  std::optional<PerCycle> per_cycle;
};

/// This machine's, as Linux tells it.
Processor this_processor(const std::vector<int>& cpus);

}  // namespace roofline::host
