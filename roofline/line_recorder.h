// Samples and counts machine instructions of work on a GPU, in the same process.
//
// The two modes exclude each other, and both need a kernel's first launch. So a process attaches
// for one mode before anything runs on the device, and ends after it.
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

/// The sampled positions of warps: one warp per multiprocessor every 2^period cycles.
struct SampledCode {
  std::vector<InstructionEvidence> instructions;  ///< instructions with their stalls
  std::set<std::string> reasons;                  ///< stall reasons of the chip
  Cubins cubins;
  int period = 0;                 ///< log2 of the cycles between samples on a multiprocessor
  std::uint64_t dropped = 0;      ///< samples that the hardware lost
  std::uint64_t elsewhere = 0;    ///< samples in kernels of the driver, not of the program
  std::vector<std::string> lost;  ///< descriptions of missing parts
};

/// The number of executions of each instruction.
struct CountedCode {
  std::vector<InstructionEvidence> instructions;  ///< instructions with their counts
  Cubins cubins;
  std::vector<std::string> counted;  ///< members of line_counts that the chip has
  std::vector<std::string> lost;     ///< descriptions of missing parts
};

/// Work to sample. Both functions return when the device is done.
struct SampledWork {
  std::function<void()> warm_up;  ///< launches every kernel once; not sampled
  std::function<void()> run;      ///< the work to be sampled
};

/// A recorder that is attached to this process.
class LineRecorder {
 public:
  virtual ~LineRecorder() = default;
  /// Samples every 2^period cycles, period 5 to 31. Once per process, attached for samples.
  /// Exceptions of the work pass through. Throws RecorderError with CUPTI's failed call and error.
  virtual SampledCode sample(int period, const SampledWork& work) = 0;
  /// Counts the instructions of the kernels that `run` launches, which makes them up to 200 times
  /// slower. All of them must have run before. Allowed once per process, if attached for
  /// instructions. Throws the same.
  virtual CountedCode count(const std::function<void()>& run) = 0;
};

/// Attaches a recorder, after making a context if the device has none. Throws RecorderError without
/// a GPU or a suitable CUPTI.
std::unique_ptr<LineRecorder> attach_line_recorder(LineMode mode);

}  // namespace roofline
