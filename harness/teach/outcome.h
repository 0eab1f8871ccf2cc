// The outcome of a step, compared with a prediction: its speedup over the previous step, and its
// limit.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/record/record.h"

namespace gpp {

struct Prediction {
  std::optional<double> speedup = {};
  std::string held_back_by = {};  ///< name of a limit; empty: no prediction
};

struct Outcome {
  std::string variant;
  std::string before = {};                 ///< reference of the speedup; may be empty
  std::string lacking = {};                ///< reason why there is no result; empty if timed
  double seconds = 0, seconds_before = 0;  ///< median seconds of step and predecessor
  std::optional<double> speedup = {};
  double low = 0, high = 0;                          ///< 95% range of the speedup
  bool disturbed = false;                            ///< other programs disturbed the speedup
  std::string held_back_by = {};                     ///< name of the limit; empty: unknown
  std::string why_speedup = {}, why_held_back = {};  ///< explanations, or reasons if unknown
};

/// The outcome of a result compared with `before` in the same study (may be nullptr).
Outcome outcome_of(const StudyRecord& study, const Result& result, const Result* before);

/// "The loop became vector code (scalar instructions 100% to 12%).": the counter that explains a
/// step's change of time. Empty if none explains half of it.
std::string explained(const StudyRecord& study, const Result& result, const Result& before);

/// Parses a speedup: "1.8", "1.8x". Returns nothing for other texts: NaN, zero, negative and
/// infinite numbers, and impossibly large ones.
std::optional<double> speedup_in(std::string_view text);

/// The names of limits on that kind of device, "host" or "gpu".
std::vector<std::string> words_for(const std::string& kind);

/// Each fact with its explanation, and the prediction for it.
std::string text_of(const Prediction& prediction, const Outcome& outcome, std::size_t width);

/// {"over", "predicted", "speedup", "low", "high", "disturbed", "why"}; null without a number.
nlohmann::ordered_json to_json(const Prediction& prediction, const Outcome& outcome);

}  // namespace gpp
