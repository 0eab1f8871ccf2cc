#include "harness/teach/predictions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

#include "harness/record/timing.h"
#include "roofline/base/bounds.h"
#include "roofline/base/json_place.h"
#include "roofline/base/machine.h"
#include "roofline/base/table.h"
#include "roofline/base/text.h"
#include "roofline/verdict.h"

namespace gpp {
namespace {

/// Ratios of prediction and outcome up to which a number earns three, two points and one.
constexpr std::array<double, most_points> earning = {1.1, 1.25, 1.5};

/// Where numbers of a step can lie.
roofline::Bounds bounds_of(Asked asked) {
  switch (asked) {
    case Asked::speedup:
      return {1e-4, 1e4};
    case Asked::flop_per_term:
      return {1e-3, 1e6};
    default:
      return {1, 1024};
  }
}

/// "term" of "terms".
std::string one_of(const std::string& work) {
  return work.ends_with('s') ? work.substr(0, work.size() - 1) : work;
}

std::string title_of(Asked asked, const Outcome& outcome, const std::string& work) {
  switch (asked) {
    case Asked::speedup:
      return "speedup over " + (outcome.before.empty() ? "the step before" : outcome.before);
    case Asked::flop_per_term:
      return fmt::format("operations per {}", one_of(work));
    case Asked::registers:
      return "registers per thread";
    case Asked::bound_by:
      return "held back by";
  }
  return {};
}

std::string shown(Asked asked, const Guess& guess) {
  if (const std::string* word = std::get_if<std::string>(&guess)) return *word;
  const double number = std::get<double>(guess);
  if (asked == Asked::speedup) return fmt::format("{:.2f}x", number);
  return fmt::format("{:.4g}", number);
}

std::string reason_of(const Outcome& outcome, Asked asked) {
  const auto found = outcome.lacking.find(asked);
  return found == outcome.lacking.end() ? "not known" : found->second;
}

}  // namespace

int points_of(const Guess& guess, const Guess& outcome) {
  if (guess.index() != outcome.index()) return 0;
  if (std::holds_alternative<std::string>(guess)) return guess == outcome ? most_points : 0;
  const auto [less, more] = std::minmax(std::get<double>(guess), std::get<double>(outcome));
  if (!(less > 0) || !std::isfinite(more)) return 0;
  // A last bit decides nothing: 1.1 over 1 is within 10%.
  const double ratio = more / less * (1 - 1e-12);
  for (std::size_t i = 0; i < earning.size(); ++i)
    if (ratio <= earning[i]) return most_points - static_cast<int>(i);
  return 0;
}

std::string rule_of_points() {
  return "Points: the larger of prediction and outcome over the smaller is at most 1.1: 3, 1.25: "
         "2, 1.5: 1, else 0. A word is worth 3 or 0.";
}

std::string question_on(Asked asked, const std::string& variant, const std::string& before,
                        const std::string& work, const std::string& kind) {
  switch (asked) {
    case Asked::speedup:
      return fmt::format("How many times as fast as {} is {} here?", before, variant);
    case Asked::flop_per_term:
      return kind == "host"  // where the source is asked, not the hardware
                 ? fmt::format(
                       "How many floating-point operations does the source of {} write for a {}, "
                       "on average? What the compiler hoists or leaves out counts, too.",
                       variant, one_of(work))
                 : fmt::format(
                       "How many floating-point operations does {} do for a {}, on average? A "
                       "fused multiply-add is two.",
                       variant, one_of(work));
    case Asked::registers:
      return fmt::format("How many registers does a thread of {} take?", variant);
    case Asked::bound_by:
      return fmt::format("What holds {} back here?", variant);
  }
  return {};
}

std::vector<std::string> words_for(const std::string& kind) {
  std::vector<std::string> words = roofline::verdict_words(kind);
  std::erase(words, roofline::no_roof_near);  // says what is not known
  return words;
}

std::optional<Guess> parse_guess(Asked asked, std::string_view text,
                                 const std::vector<std::string>& words) {
  if (asked == Asked::bound_by) {
    for (const std::string& word : words)
      if (roofline::in_lower_case(text) == roofline::in_lower_case(word)) return word;
    return std::nullopt;
  }
  if (asked == Asked::speedup && (text.ends_with('x') || text.ends_with('X')))
    text.remove_suffix(1);
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return is_plausible(asked, number) ? std::optional<Guess>(number) : std::nullopt;
}

std::string what_is_asked(Asked asked, const std::vector<std::string>& words) {
  if (asked == Asked::bound_by) return fmt::format("one of: {}", fmt::join(words, ", "));
  const roofline::Bounds bounds = bounds_of(asked);
  return fmt::format("a {}number from {:g} to {:g}{}", asked == Asked::registers ? "whole " : "",
                     bounds.low, bounds.high,
                     asked == Asked::speedup ? ", such as 1.8; 0.5 is half as fast" : "");
}

bool is_plausible(Asked asked, const Guess& guess) {
  const double* number = std::get_if<double>(&guess);
  if ((asked == Asked::bound_by) != (number == nullptr)) return false;
  if (number == nullptr) return true;
  return bounds_of(asked).hold(*number) &&
         (asked != Asked::registers || *number == std::floor(*number));
}

std::optional<int> Prediction::points() const {
  return outcome ? std::optional(points_of(guess, *outcome)) : std::nullopt;
}

std::vector<Prediction> held_against(const Outcome& outcome, const std::map<Asked, Guess>& guesses,
                                     const std::string& student, const std::string& source) {
  std::vector<Prediction> list;
  for (const auto& [asked, guess] : guesses) {
    Prediction one{
        student,        outcome.kernel,      outcome.variant, outcome.step, outcome.model,
        outcome.device, roofline::utc_now(), asked,           guess,        std::nullopt,
        source};
    const auto known = outcome.known.find(asked);
    if (known != outcome.known.end() && is_plausible(asked, known->second))
      one.outcome = known->second;
    list.push_back(std::move(one));
  }
  return list;
}

Points total(const std::vector<Prediction>& predictions) {
  Points sum;
  for (const Prediction& one : predictions) {
    if (!one.outcome) continue;
    sum.earned += *one.points();
    sum.possible += most_points;
  }
  return sum;
}

std::string text_of(const std::vector<Prediction>& predictions, const Outcome& outcome,
                    const std::string& work, std::size_t width) {
  using enum roofline::Table::Align;
  roofline::Table table(
      {{outcome.variant, left}, {"predicted", right}, {"outcome", right}, {"points", right}});
  std::string reasons;
  for (const Prediction& one : predictions) {
    table.add({title_of(one.asked, outcome, work), shown(one.asked, one.guess),
               one.outcome ? shown(one.asked, *one.outcome) : "-",
               one.outcome ? std::to_string(*one.points()) : "-"});
    if (!one.outcome)
      reasons +=
          roofline::wrapped(fmt::format("No outcome, {}: {}.", title_of(one.asked, outcome, work),
                                        reason_of(outcome, one.asked)),
                            width, 2) +
          "\n";
  }
  if (outcome.disturbed && outcome.known.contains(Asked::speedup))
    reasons += roofline::wrapped(
                   fmt::format("Disturbed: others took more than {:.0f}% of the processor, so the "
                               "speedup may be wrong. Run again on an idle machine.",
                               100 * disturbed_threshold),
                   width, 2) +
               "\n";
  const auto [low, high] = outcome.speedup_range;
  if (outcome.known.contains(Asked::speedup) && low > 0)
    reasons += fmt::format("The speedup lies between {:.2f}x and {:.2f}x (95%).\n", low, high);
  const Points points = total(predictions);
  if (points.possible == 0) return table.text() + reasons;
  return table.text() + reasons +
         fmt::format("{} of {} points.\n", points.earned, points.possible) +
         roofline::wrapped(rule_of_points(), width, 0) + "\n";
}

nlohmann::ordered_json to_json(const Guess& guess) {
  if (const std::string* word = std::get_if<std::string>(&guess)) return *word;
  return roofline::json_number(std::get<double>(guess));
}

nlohmann::ordered_json to_json(const std::vector<Prediction>& predictions, const Outcome& outcome,
                               const std::string& source) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const Prediction& one : predictions) {
    nlohmann::ordered_json row = {{"question", name_of(one.asked)},
                                  {"prediction", to_json(one.guess)},
                                  {"outcome", nullptr},
                                  {"points", nullptr}};
    if (one.outcome) {
      row["outcome"] = to_json(*one.outcome);
      row["points"] = *one.points();
    } else {
      row["reason"] = reason_of(outcome, one.asked);
    }
    rows.push_back(row);
  }
  const Points points = total(predictions);
  return {{"variant", outcome.variant},     {"model", outcome.model}, {"device", outcome.device},
          {"disturbed", outcome.disturbed}, {"predictions", rows},    {"points", points.earned},
          {"possible", points.possible},    {"source", source}};
}

}  // namespace gpp
