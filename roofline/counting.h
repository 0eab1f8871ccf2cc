// Counts a piece of work: all that the metrics need, on a slice of it where that saves time. An
// error in a counted run becomes the reason why nothing was counted. Also: how long a piece of work
// takes.
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

/// A part of the work that stood for the whole where counters slow it down too much.
struct SliceCount {
  std::string part;   ///< of the whole, for people: "13 of 1385 G'"
  double scale = 0;   ///< FP64 instructions of the whole per one of the slice; 0: not known
  Counters counters;  ///< raw, of the slice
};

/// Who counted.
enum class CountedBy {
  nobody,   ///< "" in JSON
  cupti,    ///< a GPU's hardware, through CUPTI
  analytic  ///< computed from the source and the input
};

/// "cupti", "analytic" or "", as it stands in JSON.
std::string_view source_name(CountedBy source);

bool is_hardware(CountedBy source);

/// The counts of a piece of work, from runs of its own apart from timed ones.
struct Counted {
  CountedBy source = CountedBy::nobody;
  std::string reason;  ///< why not by hardware, with the remedy; empty where it was
  int passes = 0;      ///< runs that it took
  double seconds = 0;  ///< that counting by hardware took, all passes together
  Counters counters;   ///< raw; where there is a slice, those of instructions are scaled
  std::optional<SliceCount> slice;  ///< where not the whole was counted by every counter
  Metrics metrics;                  ///< derived: roofline/metrics.h
  /// Counters by kernel, where one run told of several: raw, with the hardware's durations, which
  /// add up to the run's but for the gaps. Empty where they could not be counted apart.
  std::vector<KernelCounts> kernels;
  std::vector<Missing> missing;
  std::vector<std::string> defects;  ///< what makes the counters doubtful
};

/// One run of the work, and what is wrong with its results, or "". Both may throw. Only the run is
/// counted: a check may move more bytes than what it checks.
struct CheckedRun {
  std::function<void()> run;
  std::function<std::string()> check;
};

/// The work on a part of its input.
struct SliceRun {
  std::string part;  ///< as in SliceCount
  CheckedRun run;
};

/// Work whose metrics the program computed from source and input: "fp64_flop", "dram_bytes".
/// `reason` says why it was not counted.
Counted stated(Metrics metrics, std::string reason = {});

/// Counts by hardware all that metrics need, in few runs: five on GH100. The first one samples
/// where warps stand; it may also load code and data into the device, which is not the work's
/// traffic. Then come the hardware's counters of the whole and, once more, of each kernel. Software
/// counters (counted_by_software) run on the slice and are scaled by a hardware counter measured on
/// both: FP64 operations by the instructions of the FP64 pipe, others by all instructions. Without
/// that ratio they are missing. Metrics that depend on another one (Metric::when) are counted after
/// it, those of `when asked` where `all` is true. Passes that counted different work are a defect.
/// Never throws: where the recorder refuses, the work throws, its results are wrong or nothing
/// useful came back, `source` is nobody and `reason` says why.
Counted count_by_hardware(const Recorder& recorder, const std::string& name, const CheckedRun& run,
                          const std::optional<SliceRun>& slice = {}, bool all = false);

/// A counted run whose sums were wrong: what it counted is another problem's work.
struct WrongSums : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Throws WrongSums with what is wrong with the results of the last run, where something is.
void check_results(const CheckedRun& run);

Counted not_counted(std::string reason);

/// Calls `count`. Where it throws, nothing was counted, and the reason says why.
Counted counted_or_why_not(const std::function<Counted()>& count);

/// Runs the work once to warm up, then `runs` times (at least once); the seconds of the shortest
/// run, as a roof is the best that was seen, too. `run` returns when the work is done, a GPU's
/// included, with what went wrong, or "". Throws std::runtime_error with these words where
/// something did: work that was not done has no time.
double shortest_seconds(const std::function<std::string()>& run, int runs = 5);

}  // namespace roofline
