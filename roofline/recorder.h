// Counts what any piece of work does on a GPU.
//
// The counters that do not fit into the hardware at once are collected in several passes: the work
// is run once for each ("user replay"), all its kernels together as one range ("user range"). It
// must therefore do the same each time. Or each kernel is a range ("auto range"), and what the
// driver runs itself, such as cudaMemset, is in none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "roofline/counters.h"

namespace roofline {

/// Why nothing could be recorded, and the remedy, in words for people.
struct RecorderError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A piece of work to count.
struct Work {
  std::string name;                  ///< of the range, for messages
  std::function<void()> run;         ///< counted; returns when the device is done
  std::function<void()> reset = {};  ///< before each pass, not counted; may be empty
  std::function<void()> check = {};  ///< after each pass, not counted; throws where it went wrong
};

/// The counts of all launches of a kernel together.
struct KernelCounts {
  std::string name;           ///< whole, as people write it: "f(int)"
  std::int64_t launches = 0;  ///< 0 where it is not known
  Counters counters;          ///< sums over the launches
};

/// Counters by kernel.
struct KernelRecording {
  std::vector<KernelCounts> kernels;  ///< in the order of their first launches
  std::vector<Missing> missing;
  std::vector<std::string> defects;  ///< what makes the values doubtful
  int passes = 0;                    ///< how often the work was run

  /// All kernels together.
  Counters totals() const;
};

class Recorder {
 public:
  virtual ~Recorder() = default;
  /// Empty when work can be counted here, else the reason and its remedy.
  virtual std::string unavailable() const = 0;
  /// Counts `names`, each resolved against the chip first: what it lacks comes back as missing.
  /// Exceptions of `work` pass through. Throws RecorderError when the counters are refused.
  virtual Recording record(const std::vector<std::string>& names, const Work& work) const = 0;
  /// Counts kernel by kernel. Only counters that add up over launches fit: those that end in
  /// ".sum". Throws RecorderError, too, where there are more than `most_launches`, or CUDA graphs.
  virtual KernelRecording record_kernels(const std::vector<std::string>& names,
                                         const Work& work) const = 0;
  /// Samples where warps stand in one run of the work: counters by kernel with the names of Nsight
  /// Compute, "smsp__pcsamp_warps_issue_stalled_wait". Work runs as fast as ever.
  virtual KernelRecording sample(const std::vector<std::string>& names, const Work& work) const = 0;
};

/// The most launches in one run of work whose kernels are counted apart: CUPTI keeps some 100 kB
/// for each.
inline constexpr std::size_t most_launches = 256;

/// Counts on the current CUDA device, through CUPTI (loaded when first asked: a program without it
/// starts all the same). Lives forever.
const Recorder& cupti_recorder();

}  // namespace roofline
