// Reasons that a test cannot count on a GPU, which are not failures.
#pragma once

#include <string>

#include "roofline/recorder.h"
#include "tests/text.h"

namespace roofline::test {

/// True if the recorder's reason is that counters are withheld.
inline bool is_withheld(const std::string& reason) {
  return reason.find("may not read the GPU's counters") != std::string::npos ||
         reason.find("another process holds") != std::string::npos;
}

/// The reason why counting is impossible here without a fault of the recorder; else "".
inline std::string no_counts_here() {
  const std::string reason = cupti_recorder().unavailable();
  if (!reason.empty()) return reason;
  const std::string refused = gpp::test::thrown<RecorderError>([] {
    cupti_recorder().record({"sm__inst_executed.sum"}, {"nothing", [] {}});
  });
  return is_withheld(refused) ? refused : "";
}

}  // namespace roofline::test
