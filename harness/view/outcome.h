// What was learnt: the outcome of a variant, beside what was predicted (its speedup over the step
// before it or over the variant that it was made from, and its limit), and that of a whole study.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/program/selection.h"
#include "harness/record/comparison.h"

namespace gpp {

struct Prediction {
  std::optional<double> speedup = {};
  std::string held_back_by = {};  ///< name of a limit; empty: no prediction
};

struct Outcome {
  std::string variant;
  std::string before = {};                 ///< reference of the speedup; may be empty
  std::string lacking = {};                ///< reason why there is no result; empty if timed
  double seconds = 0, seconds_before = 0;  ///< median seconds of the variant and of the reference
  std::optional<double> speedup = {};
  double low = 0, high = 0;              ///< 95% range of the speedup
  std::optional<double> in_cycles = {};  ///< speedup at equal clocks, where clocks hide it
  Verdict verdict = Verdict::not_comparable;
  std::string held_back_by = {};                     ///< name of the limit; empty: unknown
  std::string why_speedup = {}, why_held_back = {};  ///< explanations, or reasons if unknown
  std::string resources = {};  ///< of a GPU: "92 registers a thread and 31% occupancy"
};

/// The outcome of a result compared with `before` in the same study (may be nullptr).
Outcome outcome_of(const StudyRecord& study, const Result& result, const Result* before);

/// The parent of a user's variant, on the device where the child runs. Its variant is nullptr for
/// steps of the ladder, and if the child's source names no parent.
Choice parent_of(const std::vector<Variant>& catalog, const Choice& child);

/// Parses a speedup: "1.8", "1.8x". Returns nothing for other texts: NaN, zero, negative and
/// infinite numbers, and impossibly large ones.
std::optional<double> speedup_in(std::string_view text);

/// The names of limits on that kind of device, "host" or "gpu".
std::vector<std::string> words_for(const std::string& kind);

/// Each fact with its explanation, and the prediction for it.
std::string text_of(const Prediction& prediction, const Outcome& outcome, std::size_t width);

/// {"over", "predicted", "speedup", "low", "high", "verdict", "why"}; null without a number.
nlohmann::ordered_json to_json(const Prediction& prediction, const Outcome& outcome);

/// The finding of a study: what went wrong, else the outcome of the step that gained most over the
/// one before it, else of the fastest; and the command to go on with. Ends with a new line.
std::string learnt(const StudyRecord& study);

/// The finding of `gpp run`, from the first result and its parent, which is the second result if
/// present.
std::string learnt_of_run(const StudyRecord& study, const Prediction& prediction = {});

}  // namespace gpp
