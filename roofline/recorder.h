// Counts any piece of work on a GPU.
//
// Counters that do not fit into the hardware at once are collected in several passes. The work runs
// once per pass ("user replay"), with all its kernels as one range ("user range"), and must do the
// same each time. Alternatively each kernel is a range ("auto range"); then the driver's own
// operations, such as cudaMemset, are in no range.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "roofline/counters.h"

namespace roofline {

/// The reason why nothing could be recorded, with a remedy.
struct RecorderError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A piece of work to be counted.
struct Work {
  std::string name;                  ///< range name for messages
  std::function<void()> run;         ///< counted; must wait for the device
  std::function<void()> reset = {};  ///< runs before each pass, uncounted; may be empty
  std::function<void()> check = {};  ///< runs after each pass, uncounted; throws for wrong results
};

/// The counts of all launches of a kernel.
struct KernelCounts {
  std::string name;           ///< full demangled name: "f(int)"
  std::int64_t launches = 0;  ///< number of launches; 0 if unknown
  Counters counters;          ///< sums over the launches
};

/// The result of a recording.
struct Recording {
  Counters counters;
  std::vector<Missing> missing;
  std::vector<std::string> defects;  ///< reasons to doubt the values: dropped ranges, ...
  int passes = 0;                    ///< number of runs of the work
  /// The kernels sorted by first launch, if they were counted apart; `counters` are their sums.
  std::vector<KernelCounts> kernels = {};
};

inline Counters sums_over(const std::vector<KernelCounts>& kernels) {
  Counters sums;
  for (const KernelCounts& kernel : kernels)
    for (const auto& [name, value] : kernel.counters) sums[name] += value;
  return sums;
}

/// Counts work. This base is the recorder of builds without CUPTI's headers, which cannot.
class Recorder {
 public:
  virtual ~Recorder() = default;
  /// The reason why work cannot be counted here, with a remedy; empty if it can.
  virtual std::string unavailable() const {
    return "this program was built without CUPTI's headers; install the CUDA toolkit 12.6 or later "
           "with CUPTI (cuda-cupti-dev-13-0) and build again";
  }
  /// Counts `names`, after checking each against the chip; unavailable ones are reported as
  /// missing. Exceptions of `work` pass through. Throws RecorderError if the counters are refused.
  virtual Recording record(const std::vector<std::string>& /*names*/, const Work& /*work*/) const {
    throw RecorderError(unavailable());
  }
  /// Counts kernel by kernel, for counters that add up over launches, which end in ".sum". Also
  /// throws RecorderError for more than `most_launches` launches and for CUDA graphs.
  virtual Recording record_kernels(const std::vector<std::string>& names, const Work& work) const {
    return record(names, work);
  }
  /// Samples the positions of warps in one run of the work: counters by kernel with Nsight
  /// Compute's names, "smsp__pcsamp_warps_issue_stalled_wait". The work runs at full speed.
  virtual Recording sample(const std::vector<std::string>& names, const Work& work) const {
    return record(names, work);
  }
};

/// The maximum number of launches in a run whose kernels are counted separately: CUPTI needs about
/// 100 kB for each.
inline constexpr std::size_t most_launches = 256;

/// The recorder of the current CUDA device. CUPTI is loaded on first use, so programs start without
/// it. Never destroyed.
const Recorder& cupti_recorder();

namespace cupti {

/// The CUPTI that would count.
struct Status {
  std::string path;     ///< path of the library; empty if none is usable
  std::string missing;  ///< reason why there is none, with a remedy
};

Status status();

}  // namespace cupti

}  // namespace roofline
