// What came of a step, beside what somebody said before: how many times as fast it is as the step
// before it, and what holds it back.
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
  std::string held_back_by = {};  ///< a verdict's word; empty: nothing was said
};

struct Outcome {
  std::string variant;
  std::string before = {};   ///< what the speedup is over; empty where there is none
  std::string lacking = {};  ///< why the variant shows nothing; empty where it was timed
  double seconds = 0, seconds_before = 0;  ///< medians
  std::optional<double> speedup = {};
  double low = 0, high = 0;       ///< of the speedup, by the 95% intervals of both medians
  bool disturbed = false;         ///< the speedup, by others
  std::string held_back_by = {};  ///< the verdict's word; empty: not known
  std::string why_speedup = {}, why_held_back = {};  ///< sentences; why it is not known, else
};

/// Of a result, against `before` of the same study (nullptr: none).
Outcome outcome_of(const StudyRecord& study, const Result& result, const Result* before);

/// "The loop became vector code (scalar instructions 100% to 12%).": the counter that explains a
/// step's change of time. Empty where none accounts for half of it.
std::string explained(const StudyRecord& study, const Result& result, const Result& before);

/// A speedup as it was typed: "1.8", "1.8x". Empty for anything else: NaN, zero, negative and
/// endless numbers, and those that no step can reach.
std::optional<double> speedup_in(std::string_view text);

/// The words that a verdict can say on that kind of device, "host" or "gpu".
std::vector<std::string> words_for(const std::string& kind);

/// Each fact with its reason, and what was said of it.
std::string text_of(const Prediction& prediction, const Outcome& outcome, std::size_t width);

/// {"over", "predicted", "speedup", "low", "high", "disturbed", "why"}; null where there is no
/// number.
nlohmann::ordered_json to_json(const Prediction& prediction, const Outcome& outcome);

}  // namespace gpp
