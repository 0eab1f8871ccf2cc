// Counts all metrics of a piece of work, partly on a slice if that saves time. An error in a
// counted run becomes the reason for missing counts.
#pragma once

#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "roofline/counters.h"
#include "roofline/metrics.h"
#include "roofline/recorder.h"

namespace roofline {

/// A part of the work, counted in place of the whole if counters would slow it down too much.
struct SliceCount {
  std::string part;   ///< description of the part: "13 of 1385 G'"
  double scale = 0;   ///< ratio of FP64 instructions, whole to slice; 0: unknown
  Counters counters;  ///< raw counters of the slice
};

/// The source of counts.
enum class CountedBy {
  nobody,   ///< no counts; "" in JSON
  cupti,    ///< the GPU's hardware through CUPTI
  analytic  ///< computed from the source and the input
};

/// The name in JSON: "cupti", "analytic" or "".
std::string_view source_name(CountedBy source);

bool is_hardware(CountedBy source);

/// The counts of a piece of work, from runs separate from timed ones.
struct Counted {
  CountedBy source = CountedBy::nobody;
  std::string reason;               ///< reason, with remedy, why hardware did not count; else empty
  int passes = 0;                   ///< number of runs for counting
  double seconds = 0;               ///< total time of counting by hardware
  Counters counters;                ///< raw; instruction counts from a slice are scaled
  std::optional<SliceCount> slice;  ///< if some counters counted only a part
  Metrics metrics;                  ///< metrics derived by roofline/metrics.h
  /// Counters by kernel, if a run has several: raw, with the hardware's durations, whose sum lacks
  /// only the gaps between kernels. Empty if they could not be counted separately.
  std::vector<KernelCounts> kernels;
  std::vector<Missing> missing;
  std::vector<std::string> defects;  ///< reasons to doubt the counters
};

/// A run of the work, and a check that returns what is wrong with the results, or "". Both may
/// throw. Only the run is counted, because a check may move more bytes than the work.
struct CheckedRun {
  std::function<void()> run;
  std::function<std::string()> check;
};

/// The work on a part of its input.
struct SliceRun {
  std::string part;  ///< description of the part, as in SliceCount
  CheckedRun run;
};

/// Work whose metrics the program computed from source and input: "fp64_flop", "dram_bytes".
/// `reason` is why it was not counted.
Counted stated(Metrics metrics, std::string reason = {});

/// Counts by hardware everything that metrics need, in few runs: five on GH100. The first one
/// samples the positions of warps; it may also load code and data into the device, which is not the
/// work's traffic. Then come the hardware's counters of the whole and of each kernel. Software
/// counters (counted_by_software) run on the slice and are scaled by a hardware counter that was
/// measured on both: FP64 operations by instructions of the FP64 pipe, others by all instructions.
/// Without that ratio they are missing. Metrics that depend on another one (Metric::when) are
/// counted after it; those with `when asked` only if `all` is true. Passes that counted different
/// work are a defect. Never throws: if the recorder refuses, the work throws, its results are wrong
/// or there are no useful counts, `source` is nobody and `reason` has the cause.
Counted count_by_hardware(const Recorder& recorder, const std::string& name, const CheckedRun& run,
                          const std::optional<SliceRun>& slice = {}, bool all = false);

/// A counted run had wrong sums, so its counts belong to other work.
struct WrongSums : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Throws WrongSums with the error in the last run's results, if there is one.
void check_results(const CheckedRun& run);

Counted not_counted(std::string reason);

/// Calls `count`. If it throws, there are no counts, and the reason is stored.
Counted counted_or_why_not(const std::function<Counted()>& count);

}  // namespace roofline
