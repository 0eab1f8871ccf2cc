// Samples and counts machine instructions of work on a GPU, in the same process.
//
// The two modes exclude each other, and both need a kernel's first launch. So a process attaches
// for one mode before anything runs on the device, and ends after it.
#pragma once

#include <functional>
#include <memory>

#include "roofline/record/lines.h"
#include "roofline/recorder.h"

namespace roofline {

enum class LineMode { samples, instructions };

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
  virtual RecordedCode sample(int period, const SampledWork& work) = 0;
  /// Counts the instructions of the kernels that `run` launches, which makes them up to 200 times
  /// slower. All of them must have run before. Allowed once per process, if attached for
  /// instructions. Throws the same.
  virtual RecordedCode count(const std::function<void()>& run) = 0;
};

/// Attaches a recorder, after making a context if the device has none. Throws RecorderError without
/// a GPU or a suitable CUPTI.
std::unique_ptr<LineRecorder> attach_line_recorder(LineMode mode);

}  // namespace roofline
