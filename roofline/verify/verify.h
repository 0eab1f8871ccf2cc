// Compares counts of kernels with known counts, to test the counters of this machine, or of another
// profiler's file.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "roofline/base/table.h"
#include "roofline/profile.h"
#include "roofline/verify/known_answers.h"

namespace roofline::known {

struct Judgement {
  std::string kernel, does, metric, unit;
  double expected = 0;
  std::optional<double> counted;
  double tolerance = 0;
  std::string reason;  ///< reason if it was not counted

  bool ok() const;
  bool off() const { return counted && !ok(); }
  /// The difference in percent of the expected value.
  std::optional<double> percent() const;
  /// Returns "ok", "off by +3.1%", or "not counted".
  std::string verdict() const;
};

struct Verification {
  std::string source, device;  ///< names of profiler and device
  std::vector<Judgement> rows;

  std::size_t right() const;
  std::size_t wrong() const;
  /// True if at least one count is right and none is wrong; the exit status.
  bool passes() const { return right() > 0 && wrong() == 0; }
};

/// Compares the profile's kernels with known counts, times the number of launches. `left_out` has
/// kernels that were not launched, with reasons.
Verification verify(const Profile& profile,
                    const std::map<std::string, std::string>& left_out = {});

/// A table of the comparisons, and a conclusion.
std::string verification_text(const Verification& verification, bool colours, std::size_t width);
/// {"source", "device", "answers": [{"kernel", "metric", "unit", "expected", "counted",
/// "difference_percent", "tolerance_percent", "verdict", "reason"}], "right", "wrong",
/// "not_counted", "passes"}
nlohmann::ordered_json verification_json(const Verification& verification);

}  // namespace roofline::known
