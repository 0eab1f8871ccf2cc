// What was learnt: the outcome of a variant, beside the predicted speedup over the step before it
// or over the variant that it was made from, and that of a whole study.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/program/selection.h"
#include "harness/record/comparison.h"
#include "harness/view/rows.h"

namespace gpp {

struct Outcome {
  std::string variant;
  std::string before = {};   ///< reference of the speedup; may be empty
  std::string lacking = {};  ///< reason why there is no result; empty if timed
  double seconds = 0;        ///< median
  std::optional<double> speedup = {};
  double low = 0, high = 0;              ///< 95% range of the speedup
  std::optional<double> in_cycles = {};  ///< speedup at equal clocks, where clocks hide it
  Verdict verdict = Verdict::not_comparable;
  bool disturbed = false;          ///< others took part of the device meanwhile
  std::string why_undecided = {};  ///< reason for no speedup, or for one that is not certain
  std::string held_back_by = {};   ///< name of the limit; empty: unknown
  std::string why_held_back = {};  ///< evidence, or reason if unknown
};

/// The outcome of a result compared with `before` in the same study (may be nullptr).
Outcome outcome_of(const StudyRecord& study, const Result& result, const Result* before);

/// A variant that says what the studies found, and its outcome.
struct StudyFinding {
  ShownRow row;
  Outcome outcome;
};

/// Each variant of one's own, over the one it was made from; else the fastest variant, over the
/// first of its model. Empty if nothing was timed.
std::vector<StudyFinding> findings(const ShownResults& shown);

/// "v7 takes 500.0 ms: 4.00x over v1, between 3.92x and 4.08x (95%)."; a gain that is not certain
/// is called "perhaps", and "disturbed", or has another reason.
std::string gain_sentence(const Outcome& outcome);

/// The parent of a user's variant, on the device where the child runs. Its variant is nullptr for
/// steps of the ladder, and if the child's source names no parent.
Choice parent_of(const std::vector<Variant>& catalog, const Choice& child);

/// Parses a speedup: "1.8", "1.8x". Returns nothing for other texts: NaN, zero, negative and
/// infinite numbers, and impossibly large ones.
std::optional<double> speedup_in(std::string_view text);

/// Each fact with its explanation, and the speedup that was predicted.
std::string text_of(std::optional<double> predicted, const Outcome& outcome, std::size_t width);

/// {"over", "predicted", "speedup", "low", "high", "verdict", "why"}; null without a number.
nlohmann::ordered_json to_json(std::optional<double> predicted, const Outcome& outcome);

/// The finding of a study: what went wrong, else its fastest finding, and the command to go on
/// with. Ends with a new line.
std::string learnt(const StudyRecord& study);

/// The finding of `gpp run`, from the first result and its parent, which is the second result if
/// present.
std::string learnt_of_run(const StudyRecord& study, std::optional<double> predicted = {});

}  // namespace gpp
