// Counts what any piece of work does on the processors of this machine.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "roofline/counting.h"

namespace roofline {

class HostCounters {
 public:
  virtual ~HostCounters() = default;
  /// Empty when work can be counted here, else the reason and its remedy. The first call takes up
  /// to some seconds.
  virtual std::string unavailable() const = 0;
  /// Counts all that the table of hosts has formulas for (roofline/models/host.txt), on every CPU
  /// that this process may use: whatever else runs there is counted with it. The work runs once
  /// uncounted, once for each group of counters, and once more as a check. What this processor or
  /// its LIKWID lacks is `missing`, with the reason; a value below zero or not finite is a defect
  /// and is left out. Never throws: where nothing useful came back `source` is nobody and `reason`
  /// says why. One thread at a time may call it.
  virtual Counted count(const CheckedRun& run) const = 0;
};

/// Counts by LIKWID, whose groups of counters know each processor (docs/sources.md). Its library is
/// looked for when first asked: a program without it starts all the same. Lives forever.
const HostCounters& likwid_counters();

namespace likwid {

/// Counts through the first library of these names that can be loaded: for tests, which bring their
/// own. Trying it out may take `limit` seconds.
std::unique_ptr<HostCounters> counters_of(const std::vector<std::string>& libraries,
                                          double limit = 10);

}  // namespace likwid
}  // namespace roofline
