// Samples the positions of warps with CUPTI's PC sampling.
//
// It uses continuous mode, started and stopped around the work, so kernels run unchanged. CUPTI
// silently loses records unless a kernel's first launch lies between Enable and Disable, and unless
// it has its own buffer beside the one into which data is fetched (observed with CUDA 13.0 and
// driver 580 on an H200).
#pragma once

#include <memory>

#include "roofline/cupti/functions.h"
#include "roofline/line_recorder.h"

namespace roofline::cupti {

/// Samples or counts the instructions of a context during its lifetime. Every call throws
/// RecorderError with the failed call's name. The results have no cubins.
class CodeWatch {
 public:
  virtual ~CodeWatch() = default;
  /// All evidence since the last call; watching goes on.
  virtual RecordedCode fetch() = 0;
  /// The rest of it. Nothing may be called afterwards.
  virtual RecordedCode end() = 0;
};

class Sampling final : public CodeWatch {
 public:
  Sampling(const Functions& functions, CUcontext context, int period);
  ~Sampling() override;
  Sampling(const Sampling&) = delete;
  Sampling& operator=(const Sampling&) = delete;

  void start();
  RecordedCode fetch() override;
  RecordedCode end() override;

 private:
  void stop();
  RecordedCode take();

  struct State;
  std::unique_ptr<State> state_;
};

/// Samples `run`, without cubins. Throws RecorderError with the failed call's name.
RecordedCode sample_instructions(const Functions& functions, CUcontext context, int period,
                                 const SampledWork& work);

/// Converts samples to counters by kernel, for those of `names` that the chip has. The others are
/// missing.
KernelRecording stalls_by_kernel(const RecordedCode& code, const std::vector<std::string>& names);

}  // namespace roofline::cupti
