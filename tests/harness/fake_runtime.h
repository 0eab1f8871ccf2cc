// A device under the control of a test.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "gpp/runtime.h"
#include "harness/study/selection.h"

namespace gpp::test {

/// Runs variants on the host, with times and clocks as the test wants them.
class FakeRuntime : public Runtime {
 public:
  std::string reason;       ///< what unavailable() says
  std::string place_error;  ///< what place() throws, where not empty
  std::string kind = "host";
  /// Seconds of the n-th run on any placement, from 0.
  std::function<double(int)> seconds = [](int) { return 0.5; };
  std::function<double(int)> clock = [](int) { return 0.0; };
  std::function<void()> on_read;  ///< called where memory is read back, if set

  std::string unavailable() const override { return reason; }
  DeviceDescription describe() const override;
  long long free_bytes() const override { return 1'000'000'000; }
  std::unique_ptr<Placement> place(const PreparedProblem& problem) const override;

  mutable int runs = 0;
  mutable int placements = 0;
};

/// A variant "v1", step `step`, of model "fake", that runs `function` on `runtime`.
Variant make_variant(const std::string& step, VariantFunction function, const Runtime& runtime);

}  // namespace gpp::test
