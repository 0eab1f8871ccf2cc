// Predictions of a student, the outcomes they are held against, and the points that they earn.
//
// A number earns points by its ratio to the outcome, whichever is larger over the other: up to 1.1
// three, up to 1.25 two, up to 1.5 one, else none. A word earns three or none, "I don't know" none.
// Without an honest outcome there are no points, and nothing counts.
#pragma once

#include <array>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "harness/record/record.h"

namespace gpp {

/// A quantity of a step that a student can predict.
enum class Asked {
  speedup,        ///< time of the step before over the step's own
  flop_per_term,  ///< operations for each piece of work (Kernel::work); an FMA is two
  registers,      ///< per thread, of the kernel that takes most
  bound_by        ///< the verdict's word (roofline/verdict.h)
};
inline constexpr std::array all_asked = {Asked::speedup, Asked::flop_per_term, Asked::registers,
                                         Asked::bound_by};

/// The name in files: "flop_per_term".
std::string name_of(Asked asked);
std::optional<Asked> asked_called(std::string_view name);

/// A number, or the word of Asked::bound_by.
using Guess = std::variant<double, std::string>;

/// Empty: "I don't know".
using Answer = std::optional<Guess>;

/// Why that cannot be predicted of a step on that kind of device, "host" or "gpu"; empty where it
/// can. `has_before`: there is a step before it.
std::string not_askable(Asked asked, const std::string& kind, bool has_before);

/// Facts about one step, each there or with the reason why not.
struct Outcome {
  std::string kernel, variant, step, model, kind, device;
  std::string before;  ///< what the speedup is over; empty where there is none
  std::map<Asked, Guess> known;
  std::map<Asked, std::string> lacking;
  std::map<Asked, std::string> why;  ///< a sentence for what is known, where one can be told
  std::pair<double, double> speedup_range = {};  ///< by both medians' 95% intervals; 0: not known
  bool disturbed = false;                        ///< the speedup, by others
};

/// The outcome of a result, against `before` of the same study (nullptr: none). Of a step
/// that failed or was not timed it shows nothing.
Outcome outcome_of(const StudyRecord& study, const Result& result, const Result* before);

/// The launch that takes most registers: the step's own kernel. nullptr where none are known.
const Launch* largest_launch(const Result& result);

inline constexpr int most_points = 3;

/// The answer for people: "1.80x", "scalar code", "don't know".
std::string answer_text(Asked asked, const Answer& answer);

/// The points of an answer, from 0 to most_points.
int points_of(const Answer& answer, const Guess& outcome);

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

/// Choices instead of typing: the words, or numbers all over the range of the step's.
std::vector<std::string> choices_for(Asked asked, const std::string& kind);

/// Whether a line says "I don't know": so or alike, "?", or nothing.
bool is_dont_know(std::string_view text);

/// Describes the guesses that parse_guess takes, for messages: "a number above 0, such as 1.8".
std::string what_is_asked(Asked asked, const std::vector<std::string>& words);

/// Whether a number lies where that of a step can.
bool is_plausible(Asked asked, const Guess& guess);

/// A prediction, and what came.
struct Prediction {
  std::string student;
  std::string kernel, variant, step, model, device;
  std::string time;  ///< when it was held against the outcome: ISO 8601, UTC
  Asked asked = Asked::speedup;
  Answer guess = 0.0;
  std::optional<Guess> outcome;  ///< empty where there was no honest one
  std::string source;            ///< of the outcome: a record's path, or "run now"
  bool after_run = false;        ///< an outcome of the step lay here before it was predicted

  /// Empty where there is no outcome.
  std::optional<int> points() const;
};

/// Where outcomes come from.
struct OutcomeSource {
  std::string name;        ///< a record's path, or "run now"
  bool after_run = false;  ///< Prediction::after_run
};

/// Makes a prediction of each answer, with its outcome.
std::vector<Prediction> held_against(const Outcome& outcome, const std::map<Asked, Answer>& answers,
                                     const std::string& student, const OutcomeSource& source);

/// The points that predictions earned together.
struct Points {
  int earned = 0;
  int possible = 0;  ///< most_points for each that has an outcome
};
Points total(const std::vector<Prediction>& predictions);

/// A table of predictions beside outcomes, the reasons of these, the points and their rule. Says
/// why an outcome is lacking, and that predictions came after a run.
std::string text_of(const std::vector<Prediction>& predictions, const Outcome& outcome,
                    const std::string& work, std::size_t width);

/// The predictions for scripts: {"variant", "model", "device", "predictions": [{"question",
/// "prediction", "outcome", "points"}], "points", "possible", "source"}. null where there is no
/// outcome, with its "reason", and for a prediction that was "I don't know"; "why" where a reason
/// of the outcome is known.
nlohmann::ordered_json to_json(const std::vector<Prediction>& predictions, const Outcome& outcome,
                               const std::string& source);

/// A number or a word as JSON; null for "I don't know".
nlohmann::ordered_json to_json(const Answer& answer);

}  // namespace gpp
