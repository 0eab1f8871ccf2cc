// Counts the executions of each machine instruction with CUPTI's SASS metrics.
//
// CUPTI patches the kernels, which makes them up to 200 times slower. One session per process. The
// kernels ran before, so their modules were loaded under a subscriber (listeners.h).
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "roofline/cupti/functions.h"
#include "roofline/cupti/pc_sampling.h"

namespace roofline::cupti {

/// The place to count. The profiler is initialized (session.h).
struct SassPlace {
  const Functions& functions;
  CUcontext context = nullptr;
  CUdevice device = 0;
  std::string chip;
  std::function<void()> synchronize;  ///< waits for the context's work
};

/// If the chip refuses to count everything together, only instructions are counted, and `lost` says
/// so. Counts that were not fetched are lost, too.
class SassCounting final : public CodeWatch {
 public:
  explicit SassCounting(const SassPlace& place);
  ~SassCounting() override;
  SassCounting(const SassCounting&) = delete;
  SassCounting& operator=(const SassCounting&) = delete;

  /// Waits for the device.
  RecordedCode fetch() override;
  RecordedCode end() override;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Counts the launches of `run`, as SassCounting does.
RecordedCode count_instructions(const SassPlace& place, const std::function<void()>& run);

}  // namespace roofline::cupti
