// Predictions of a student, and the points that they earn.
//
// A number earns points by its ratio to the outcome, whichever is larger over the other: up to 1.1
// three, up to 1.25 two, up to 1.5 one, else none. A word earns three or none. Without an honest
// outcome there are no points, and nothing counts.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/teach/outcome.h"

namespace gpp {

inline constexpr int most_points = 3;

/// Of 0 to most_points.
int points_of(const Guess& guess, const Guess& outcome);

/// The rule in a sentence, for people.
std::string rule_of_points();

/// "How many registers does a thread take?" `before` is the step before; `work` as in Kernel::work.
/// On a host operations are known from the source, and `kind` "host" asks for those.
std::string question_on(Asked asked, const std::string& variant, const std::string& before,
                        const std::string& work, const std::string& kind);

/// The words that can be predicted on that kind of device: what a verdict can say of a cause.
std::vector<std::string> words_for(const std::string& kind);

/// A prediction as it was typed: "1.8", "1.8x"; of Asked::bound_by one of the words, in any case.
/// Empty for anything else: NaN, zero, negative and endless numbers, and those that no step can
/// reach. Registers are whole.
std::optional<Guess> parse_guess(Asked asked, std::string_view text,
                                 const std::vector<std::string>& words);

/// What parse_guess takes, for messages: "a number above 0, such as 1.8".
std::string what_is_asked(Asked asked, const std::vector<std::string>& words);

/// Whether a number lies where that of a step can.
bool is_plausible(Asked asked, const Guess& guess);

/// A prediction, and what came.
struct Prediction {
  std::string student;
  std::string kernel, variant, step, model, device;
  std::string time;  ///< when it was held against the outcome: ISO 8601, UTC
  Asked asked = Asked::speedup;
  Guess guess = 0.0;
  std::optional<Guess> outcome;  ///< empty where there was no honest one
  std::string source;            ///< of the outcome: a record's path, or "run now"

  /// Empty where there is no outcome.
  std::optional<int> points() const;
};

/// One for each guess.
std::vector<Prediction> held_against(const Outcome& outcome, const std::map<Asked, Guess>& guesses,
                                     const std::string& student, const std::string& source);

/// What they earned together.
struct Points {
  int earned = 0;
  int possible = 0;  ///< most_points for each that has an outcome
};
Points total(const std::vector<Prediction>& predictions);

/// A table of predictions beside outcomes, the points and their rule. Says why an outcome is
/// lacking.
std::string text_of(const std::vector<Prediction>& predictions, const Outcome& outcome,
                    const std::string& work, std::size_t width);

/// For scripts: {"variant", "model", "device", "predictions": [{"question", "prediction",
/// "outcome", "points"}], "points", "possible", "source"}. null where there is no outcome, with its
/// "reason".
nlohmann::ordered_json to_json(const std::vector<Prediction>& predictions, const Outcome& outcome,
                               const std::string& source);

/// A number or a word as JSON.
nlohmann::ordered_json to_json(const Guess& guess);

}  // namespace gpp
