// The same program over commits: what changed from one record to the next, beyond noise.
//
// A record is compared with those before it since the last change of the same quantity, with the
// first `most_in_base` of them at most: a drift by small steps leaves them behind.
//   - Operations are counted exactly: a difference of more than `least_work` is a change.
//   - Bytes depend on what caches held: their bounds are the least and the most of the records
//     before, widened by `least_bytes`, or by `few_bytes` where that is more.
//   - Times: the median lies more than `least_time` beyond all medians before, which stands for
//     what differs from one start of a program to the next; and the ranks of the runs would differ
//     so much with a probability of at most `false_alarms`, corrected by Holm's method for the
//     number of kernels of that record. Holm's errs no more often than Bonferroni's, whatever
//     depends on whatever, and finds more.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "roofline/metrics.h"
#include "roofline/statistics.h"

namespace roofline {

inline constexpr double least_work = 1e-3, least_bytes = 0.05, few_bytes = 1e6, least_time = 0.01;
inline constexpr double false_alarms = 1e-3;
inline constexpr std::size_t most_in_base = 5;

/// A kernel or a variant in one record.
struct HistoryPart {
  std::vector<double> runs;             ///< seconds of each; empty: not timed, or only once
  std::map<std::string, double> work;   ///< operations by precision
  std::map<std::string, double> bytes;  ///< by level of memory
};

/// A part with these runs and what was counted of it on that kind of device.
HistoryPart history_part(std::vector<double> runs, const std::string& kind, const Metrics& metrics);

struct HistoryRecord {
  std::string label, created;
  std::map<std::string, HistoryPart> parts;  ///< by name
};

struct HistoryChange {
  std::size_t record = 0;  ///< the first that has it
  std::string part;
  std::string what;          ///< "time", "fp64", "dram"
  std::string unit;          ///< "s", "operations" or "B"
  double low = 0, high = 0;  ///< the bounds of the records before
  double after = 0;

  bool worse() const { return after > high; }
};

struct History {
  std::vector<HistoryRecord> records;  ///< oldest first
  std::vector<HistoryChange> changes;  ///< those of the oldest first
  /// Parts of the last record whose runs, or those before, are too few for any verdict on time.
  std::vector<std::string> undecided;
  /// Values of the last record that were held against those before.
  std::size_t compared = 0;
  /// Parts that the last record lacks, or has, unlike the one before it: nothing is said of these.
  std::vector<std::string> gone = {}, appeared = {};
  /// Records that were made before the one that they follow, by their labels.
  std::vector<std::string> not_in_order = {};

  /// Whether the last record does anything worse than those before it.
  bool last_is_worse() const;
  /// Whether it was held against those before it and is not worse: the exit status of both
  /// programs.
  bool passes() const { return compared > 0 && !last_is_worse(); }
};

History history_of(std::vector<HistoryRecord> records);

/// Throws InputError where these names of records make no history: fewer than two, or one that is
/// named twice. `what`: "profiles".
void require_names_of_history(const std::vector<std::string>& names, const std::string& what);

}  // namespace roofline
