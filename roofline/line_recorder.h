// Samples and counts machine instructions of any piece of work on a GPU, in process.
//
// The two modes exclude each other, and both want to see a kernel's first launch: a process
// attaches for one of them, before anything runs on the device, and ends when it has its answer.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "roofline/recorder.h"
#include "roofline/source_lines.h"

namespace roofline {

enum class LineMode { samples, instructions };

/// Where warps stood, one warp of each multiprocessor every 2^period cycles.
struct SampledCode {
  std::vector<InstructionEvidence> instructions;  ///< with stalls
  std::set<std::string> reasons;                  ///< that the chip tells apart
  Cubins cubins;
  int period = 0;               ///< log2 of the cycles between two samples of a multiprocessor
  std::uint64_t dropped = 0;    ///< samples that the hardware could not keep
  std::uint64_t elsewhere = 0;  ///< samples in kernels that are not the program's: the driver's own
  std::vector<std::string> lost;  ///< what is missing, in words for people
};

/// How often each instruction was executed.
struct CountedCode {
  std::vector<InstructionEvidence> instructions;  ///< with counts
  Cubins cubins;
  std::vector<std::string> counted;  ///< of line_counts, those that this chip has
  std::vector<std::string> lost;     ///< what is missing, in words for people
};

/// Work to sample. Both return when the device is done.
struct SampledWork {
  std::function<void()> warm_up;  ///< the first launch of every kernel; not sampled
  std::function<void()> run;      ///< sampled, all of it as one
};

/// Attached to this process.
class LineRecorder {
 public:
  virtual ~LineRecorder() = default;
  /// Samples every 2^period cycles, 5 to 31. Once per process, attached for samples. Exceptions of
  /// the work pass through. Throws RecorderError, naming CUPTI's call and its answer.
  virtual SampledCode sample(int period, const SampledWork& work) = 0;
  /// Counts the instructions of the kernels that `run` launches, all of which have run before; that
  /// takes up to some 200 times as long. Once per process, attached for instructions. Throws the
  /// same.
  virtual CountedCode count(const std::function<void()>& run) = 0;
};

/// Attaches. The device's context is made first, where there is none. Throws RecorderError where
/// there is no GPU, no CUPTI, or one that cannot do this.
std::unique_ptr<LineRecorder> attach_line_recorder(LineMode mode);

}  // namespace roofline
