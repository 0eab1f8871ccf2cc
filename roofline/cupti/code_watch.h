// Samples or counts the machine instructions of a context.
//
// Samples are CUPTI's PC sampling in continuous mode, started and stopped around the work, so
// kernels run unchanged. CUPTI silently loses records unless a kernel's first launch lies between
// Enable and Disable, and unless it has its own buffer beside the one into which data is fetched
// (observed with CUDA 13.0 and driver 580 on an H200).
//
// Counts are CUPTI's SASS metrics, which patch the kernels and make them up to 200 times slower.
// One session per process, with the profiler initialised (session.h).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "roofline/cupti/api.h"
#include "roofline/line_recorder.h"

namespace roofline::cupti {

/// Watches during its lifetime. Every call throws RecorderError with the failed call's name. The
/// results have no cubins.
class CodeWatch {
 public:
  virtual ~CodeWatch() = default;
  /// Begins to sample; counts begin when the watch is made.
  virtual void start() {}
  /// All evidence since the last call; watching goes on.
  virtual RecordedCode fetch() = 0;
  /// The rest of it. Nothing may be called afterwards.
  virtual RecordedCode end() = 0;
};

/// Samples every 2^period cycles.
std::unique_ptr<CodeWatch> watch_samples(CUcontext context, int period);
/// Counts on the current device.
std::unique_ptr<CodeWatch> watch_instructions(CUcontext context);

/// Converts samples to counters by kernel, for those of `names` that the chip has. The others are
/// missing.
Recording stalls_by_kernel(const RecordedCode& code, const std::vector<std::string>& names);

}  // namespace roofline::cupti
