// Counts of kernels whose answers are known, judged: are the counters of this machine, or of that
// profiler's file, right?
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "roofline/profile.h"
#include "roofline/verify/known_answers.h"
#include "roofline/view/table.h"

namespace roofline::known {

struct Judgement {
  std::string kernel, does, metric, unit;
  double expected = 0;
  std::optional<double> counted;
  double tolerance = 0;
  std::string reason;  ///< why it was not counted

  bool ok() const;
  bool off() const { return counted && !ok(); }
  /// "ok", "off by +3.1%", "not counted".
  std::string verdict() const;
};

struct Verification {
  std::string source, device;  ///< who counted, and where
  std::vector<Judgement> rows;

  std::size_t right() const;
  std::size_t wrong() const;
  /// Whether something was counted, and all of that is right: the exit status.
  bool passes() const { return right() > 0 && wrong() == 0; }
};

/// Holds the kernels of the profile against their answers, as often as each was launched.
/// `left_out`: kernels that were not launched, and why.
Verification verify(const Profile& profile,
                    const std::map<std::string, std::string>& left_out = {});

/// A table of the answers, and a sentence of what follows.
std::string verification_text(const Verification& verification, bool colours, std::size_t width);
/// {"source", "device", "answers": [{"kernel", "metric", "unit", "expected", "counted",
/// "difference_percent", "tolerance_percent", "verdict", "reason"}], "right", "wrong",
/// "not_counted", "passes"}
nlohmann::ordered_json verification_json(const Verification& verification);

}  // namespace roofline::known
