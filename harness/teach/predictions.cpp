#include "harness/teach/predictions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

#include "harness/record/derive.h"
#include "harness/record/timing.h"
#include "harness/teach/reasons.h"
#include "roofline/base/bounds.h"
#include "roofline/base/json_place.h"
#include "roofline/base/machine.h"
#include "roofline/base/table.h"
#include "roofline/base/terminal.h"
#include "roofline/base/text.h"
#include "roofline/base/units.h"
#include "roofline/models/model_table.h"
#include "roofline/verdict.h"

namespace gpp {
namespace {

/// Why a result says nothing; empty where it was timed.
std::string not_timed(const Result& result) {
  if (result.timed()) return {};
  if (result.status == Status::passed) return fmt::format("{} was not timed", result.variant);
  return fmt::format("{} {}: {}", result.variant,
                     result.status == Status::failed ? "failed" : "did not run", result.reason);
}

/// The operations of the precision with most of them; 0: not known.
double most_operations(const Result& result) {
  if (result.roofline() != nullptr) return result.roofline()->flop;
  double most = 0;
  for (const roofline::Model& model : roofline::table_of(result.kind).models)
    most = std::max(most, roofline::metric_value(result.counted.metrics, model.work).value_or(0));
  return most;
}

/// Takes one fact, or why it is not there.
class Facts {
 public:
  explicit Facts(Outcome& outcome) : outcome_(outcome) {}

  void know(Asked asked, Guess value) { outcome_.known[asked] = std::move(value); }
  void range(double low, double high) { outcome_.speedup_range = {low, high}; }
  void lack(Asked asked, std::string why) { outcome_.lacking[asked] = std::move(why); }

 private:
  Outcome& outcome_;
};

void take_speedup(Facts& facts, const Result& result, const Result* before) {
  if (before == nullptr)
    return facts.lack(Asked::speedup, "no step before it was measured beside it");
  if (const std::string why = not_timed(*before); !why.empty())
    return facts.lack(Asked::speedup, why);
  const Timing &slow = before->timing(), &fast = result.timing();
  facts.know(Asked::speedup, slow.median / fast.median);
  facts.range(slow.low / fast.high, slow.high / fast.low);
}

void take_operations(Facts& facts, const StudyRecord& study, const Result& result) {
  if (result.roofline() != nullptr && roofline::only_moves(*result.roofline()))
    return facts.lack(Asked::flop_per_term, "it does no floating-point operation");
  const double flop = most_operations(result);
  if (flop > 0 && study.input.terms > 0)
    facts.know(Asked::flop_per_term, flop / static_cast<double>(study.input.terms));
  else
    facts.lack(Asked::flop_per_term,
               result.counted.reason.empty() ? "not counted" : result.counted.reason);
}

void take_registers(Facts& facts, const Result& result) {
  if (const Launch* launch = largest_launch(result))
    facts.know(Asked::registers, static_cast<double>(launch->registers));
  else
    facts.lack(Asked::registers, "this device does not tell them");
}

void take_verdict(Facts& facts, const StudyRecord& study, const Result& result) {
  if (result.roofline() == nullptr) {
    const std::string why = why_no_place(study, result);
    return facts.lack(Asked::bound_by,
                      "it has no place on the roofline" + (why.empty() ? "" : ": " + why));
  }
  const roofline::Verdict found = verdict(*result.roofline(), result.counted.metrics);
  if (found.by == roofline::no_roof_near)
    return facts.lack(Asked::bound_by,
                      "no roof is near, and neither stalls nor machine code were recorded");
  facts.know(Asked::bound_by, found.by);
}

/// Ratios of prediction and outcome up to which a number earns three, two points and one.
constexpr std::array<double, most_points> earning = {1.1, 1.25, 1.5};

/// The range of a step's number.
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

std::string reason_of(const Outcome& outcome, Asked asked) {
  const auto found = outcome.lacking.find(asked);
  return found == outcome.lacking.end() ? "not known" : found->second;
}

}  // namespace

std::string name_of(Asked asked) {
  switch (asked) {
    case Asked::speedup:
      return "speedup";
    case Asked::flop_per_term:
      return "flop_per_term";
    case Asked::registers:
      return "registers";
    case Asked::bound_by:
      return "bound_by";
  }
  return {};
}

std::optional<Asked> asked_called(std::string_view name) {
  for (const Asked asked : all_asked)
    if (name_of(asked) == name) return asked;
  return std::nullopt;
}

std::string not_askable(Asked asked, const std::string& kind, bool has_before) {
  if (asked == Asked::speedup && !has_before) return "no step comes before it";
  if (asked == Asked::registers && kind != "gpu")
    return "registers per thread are told of GPUs only, and it runs on a host here";
  return {};
}

Outcome outcome_of(const StudyRecord& study, const Result& result, const Result* before) {
  Outcome outcome;
  outcome.kernel = study.kernel;
  outcome.variant = result.variant;
  outcome.step = result.step;
  outcome.model = result.model;
  outcome.kind = result.kind;
  outcome.device = result.device;
  if (before != nullptr) outcome.before = before->variant;
  Facts facts(outcome);
  if (const std::string why = not_timed(result); !why.empty()) {
    for (const Asked asked : all_asked) facts.lack(asked, why);
    return outcome;
  }
  take_speedup(facts, result, before);
  take_operations(facts, study, result);
  take_registers(facts, result);
  take_verdict(facts, study, result);
  outcome.why = reasons_of(study, result, before);
  outcome.disturbed = result.trusted().disturbed ||
                      (before != nullptr && before->timed() && before->trusted().disturbed);
  return outcome;
}

const Launch* largest_launch(const Result& result) {
  const auto most = std::ranges::max_element(
      result.launches, [](const Launch& a, const Launch& b) { return a.registers < b.registers; });
  return most == result.launches.end() || most->registers == 0 ? nullptr : &*most;
}

std::string answer_text(Asked asked, const Answer& answer) {
  if (!answer) return "don't know";
  if (const std::string* word = std::get_if<std::string>(&*answer)) return *word;
  const double number = std::get<double>(*answer);
  if (asked == Asked::speedup) return roofline::times_text(number);
  return fmt::format("{:.4g}", number);
}

int points_of(const Answer& answer, const Guess& outcome) {
  if (!answer || answer->index() != outcome.index()) return 0;
  if (std::holds_alternative<std::string>(outcome)) return *answer == outcome ? most_points : 0;
  const auto [less, more] = std::minmax(std::get<double>(*answer), std::get<double>(outcome));
  if (!(less > 0) || !std::isfinite(more)) return 0;
  // A last bit decides nothing: 1.1 over 1 is within 10%.
  const double ratio = more / less * (1 - 1e-12);
  for (std::size_t i = 0; i < earning.size(); ++i)
    if (ratio <= earning[i]) return most_points - static_cast<int>(i);
  return 0;
}

std::string rule_of_points() {
  return "Points: the larger of prediction and outcome over the smaller is at most 1.1: 3, 1.25: "
         "2, 1.5: 1, else 0. A word is worth 3 or 0, “I don't know” 0.";
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

std::vector<std::string> choices_for(Asked asked, const std::string& kind) {
  switch (asked) {
    case Asked::speedup:
      return {"0.5x", "0.8x", "1x", "1.25x", "1.6x", "2x", "3x", "5x"};
    case Asked::flop_per_term:
      return {"5", "10", "20", "40", "80", "160"};
    case Asked::registers:
      return {"32", "48", "64", "96", "128", "168", "255"};
    case Asked::bound_by:
      return words_for(kind);
  }
  return {};
}

bool is_dont_know(std::string_view text) {
  const std::string said = roofline::in_lower_case(text);
  constexpr std::array<std::string_view, 8> ways = {
      "", "?", "dunno", "don't know", "i don't know", "dont know", "i dont know", "no idea"};
  return std::ranges::find(ways, said) != ways.end();
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

std::vector<Prediction> held_against(const Outcome& outcome, const std::map<Asked, Answer>& answers,
                                     const std::string& student, const OutcomeSource& source) {
  std::vector<Prediction> list;
  for (const auto& [asked, answer] : answers) {
    Prediction one{student,       outcome.kernel, outcome.variant,     outcome.step,
                   outcome.model, outcome.device, roofline::utc_now(), asked,
                   answer,        std::nullopt,   source.name,         source.after_run};
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

namespace {

/// Remarks on the asked speedup: other people's answers, and how far one may be off.
std::string remarks_on_speedup(const Outcome& outcome, std::size_t width) {
  if (!outcome.known.contains(Asked::speedup)) return {};
  std::string text;
  if (outcome.disturbed)
    text = roofline::wrapped(
               fmt::format("Disturbed: others took more than {:.0f}% of the device, so the speedup "
                           "may be wrong. Run again on an idle machine.",
                           100 * disturbed_threshold),
               width, 2) +
           "\n";
  const auto [low, high] = outcome.speedup_range;
  if (low > 0)
    text += fmt::format("The speedup lies between {:.2f}x and {:.2f}x (95%).\n", low, high);
  return text;
}

/// Why the outcome came, or why there is none.
std::string reason_text(const Prediction& one, const Outcome& outcome, const std::string& work,
                        std::size_t width) {
  const std::string title = title_of(one.asked, outcome, work);
  if (!one.outcome)
    return roofline::wrapped(
               fmt::format("No outcome, {}: {}.", title, reason_of(outcome, one.asked)), width, 2) +
           "\n";
  const auto why = outcome.why.find(one.asked);
  if (why == outcome.why.end()) return {};
  return roofline::wrapped(fmt::format("Why, {}: {}", title, why->second), width, 2) + "\n";
}

}  // namespace

std::string text_of(const std::vector<Prediction>& predictions, const Outcome& outcome,
                    const std::string& work, std::size_t width) {
  using enum roofline::Table::Align;
  roofline::Table table(
      {{outcome.variant, left}, {"predicted", right}, {"outcome", right}, {"points", right}});
  std::string reasons;
  for (const Prediction& one : predictions) {
    table.add({title_of(one.asked, outcome, work), answer_text(one.asked, one.guess),
               one.outcome ? answer_text(one.asked, *one.outcome) : "-",
               one.outcome ? std::to_string(*one.points()) : "-"});
    reasons += reason_text(one, outcome, work, width);
  }
  reasons += remarks_on_speedup(outcome, width);
  if (std::ranges::any_of(predictions, &Prediction::after_run))
    reasons += roofline::wrapped(
                   fmt::format("Predicted after a run: an outcome of {} was on record already.",
                               outcome.variant),
                   width, 2) +
               "\n";
  const Points points = total(predictions);
  if (points.possible == 0) return table.text() + reasons;
  return table.text() + reasons +
         fmt::format("{} of {} points.\n", points.earned, points.possible) +
         roofline::wrapped(rule_of_points(), width, 0) + "\n";
}

nlohmann::ordered_json to_json(const Answer& answer) {
  if (!answer) return nullptr;
  if (const std::string* word = std::get_if<std::string>(&*answer)) return *word;
  return roofline::json_number(std::get<double>(*answer));
}

nlohmann::ordered_json to_json(const std::vector<Prediction>& predictions, const Outcome& outcome,
                               const std::string& source) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const Prediction& one : predictions) {
    nlohmann::ordered_json row = {{"question", name_of(one.asked)},
                                  {"prediction", to_json(one.guess)},
                                  {"outcome", nullptr},
                                  {"points", nullptr},
                                  {"after_run", one.after_run}};
    if (one.outcome) {
      row["outcome"] = to_json(*one.outcome);
      row["points"] = *one.points();
      if (const auto why = outcome.why.find(one.asked); why != outcome.why.end())
        row["why"] = why->second;
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
