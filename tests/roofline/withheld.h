// Reasons why a test cannot count on a GPU that are not failures.
#pragma once

#include <string>

#include "roofline/recorder.h"
#include "tests/text.h"

namespace roofline::test {

/// True where the recorder's reason is that the machine withholds its counters.
inline bool is_withheld(const std::string& reason) {
  return reason.find("may not read the GPU's counters") != std::string::npos ||
         reason.find("another program holds") != std::string::npos;
}

/// Why nothing can be counted on a GPU here, where that is no failure of the recorder; else empty.
inline std::string no_counts_here() {
  const std::string reason = cupti_recorder().unavailable();
  if (!reason.empty()) return reason;
  const std::string refused = gpp::test::thrown<RecorderError>([] {
    cupti_recorder().record({"sm__inst_executed.sum"}, {"nothing", [] {}});
  });
  return is_withheld(refused) ? refused : "";
}

}  // namespace roofline::test
