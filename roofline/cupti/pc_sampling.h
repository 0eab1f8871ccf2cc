// Sampling where warps stand, through CUPTI's PC sampling.
//
// Continuous mode, started and stopped around the work: kernels run as they would. CUPTI loses
// records without a word unless a kernel's first launch lies between Enable and Disable, and unless
// it is given a buffer of its own beside the one that data is fetched into (seen with CUDA 13.0 and
// driver 580 on an H200).
#pragma once

#include <memory>

#include "roofline/cupti/functions.h"
#include "roofline/line_recorder.h"

namespace roofline::cupti {

/// Sampling of a context while it lives. Every call throws RecorderError, naming the call that was
/// refused.
class Sampling {
 public:
  Sampling(const Functions& functions, CUcontext context, int period);
  ~Sampling();
  Sampling(const Sampling&) = delete;
  Sampling& operator=(const Sampling&) = delete;

  /// Nothing is sampled before, and nothing after stop(), which fetches what came.
  void start();
  void stop();
  /// Fetches what is left. Nothing else may be called then but take().
  void end();
  /// All samples since the last call, without cubins.
  SampledCode take();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Leaves SampledCode::cubins empty. Throws RecorderError, naming the call that was refused.
SampledCode sample_instructions(const Functions& functions, CUcontext context, int period,
                                const SampledWork& work);

/// The samples as counters by kernel: of `names` those that the chip has reasons for. What the chip
/// has not is missing.
KernelRecording stalls_by_kernel(const SampledCode& code, const std::vector<std::string>& names);

}  // namespace roofline::cupti
