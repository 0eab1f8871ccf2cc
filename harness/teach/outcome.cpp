#include "harness/teach/outcome.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <charconv>

#include "harness/record/comparison.h"
#include "harness/record/derive.h"
#include "harness/view/steps.h"
#include "roofline/base/json_place.h"
#include "roofline/base/terminal.h"
#include "roofline/base/units.h"
#include "roofline/verdict.h"

namespace gpp {
namespace {

/// The reason why a result has no time; empty if it was timed.
std::string not_timed(const Result& result) {
  if (result.timed()) return {};
  if (result.status == Status::passed) return fmt::format("{} was not timed", result.variant);
  return fmt::format("{} {}: {}", result.variant,
                     result.status == Status::failed ? "failed" : "did not run", result.reason);
}

std::string as_sentence(std::string words) {
  words.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(words.front())));
  return words.ends_with('.') ? words : words + ".";
}

void take_speedup(Outcome& outcome, const StudyRecord& study, const Result& result,
                  const Result& before) {
  outcome.before = before.variant;
  outcome.why_speedup = not_timed(before);
  if (!outcome.why_speedup.empty()) return;
  const Timing slow = before.timing(), fast = result.timing();
  outcome.seconds_before = slow.median;
  outcome.speedup = slow.median / fast.median;
  outcome.low = slow.low / fast.high;
  outcome.high = slow.high / fast.low;
  outcome.disturbed = result.trusted().disturbed || before.trusted().disturbed;
  if (judge_times(before, before.variant, 1, result, result.variant, 1).verdict == Verdict::same)
    outcome.why_speedup =
        "The two times differ by no more than they scatter: the step changes nothing here.";
  else
    outcome.why_speedup = explained(study, result, before);
  if (outcome.why_speedup.empty())
    outcome.why_speedup = "No counter of this run accounts for half of it.";
}

void take_verdict(Outcome& outcome, const StudyRecord& study, const Result& result) {
  const roofline::RooflinePoint* point = result.roofline();
  if (point == nullptr) {
    const std::string why = why_no_place(study, result);
    outcome.why_held_back = "it has no place on the roofline" + (why.empty() ? "" : ": " + why);
    return;
  }
  const roofline::Verdict found = verdict(*point, result.counted.metrics);
  if (found.by == roofline::no_roof_near) {
    outcome.why_held_back = "no roof is near, and neither stalls nor machine code were recorded";
    return;
  }
  outcome.held_back_by = found.by;
  outcome.why_held_back = found.evidence.empty()
                              ? fmt::format("{} of that roof is reached",
                                            roofline::percent_text(point->percent_of_roof))
                              : found.evidence;
}

std::string said(const std::string& what) {
  return what.empty() ? "" : fmt::format(" You said {}.", what);
}

std::string speedup_text(const Prediction& prediction, const Outcome& outcome) {
  const std::string time = roofline::describe_seconds(outcome.seconds);
  if (outcome.before.empty()) return fmt::format("{} takes {}.", outcome.variant, time);
  if (!outcome.speedup)
    return fmt::format("{} takes {}. {}", outcome.variant, time, as_sentence(outcome.why_speedup));
  return fmt::format("{} takes {}, and {} {}: it is {} as fast, between {} and {} (95%){}.{} {}",
                     outcome.variant, time, outcome.before,
                     roofline::describe_seconds(outcome.seconds_before),
                     roofline::times_text(*outcome.speedup), roofline::times_text(outcome.low),
                     roofline::times_text(outcome.high),
                     outcome.disturbed ? ", as far as others left the device alone" : "",
                     said(prediction.speedup ? roofline::times_text(*prediction.speedup) : ""),
                     outcome.why_speedup);
}

}  // namespace

Outcome outcome_of(const StudyRecord& study, const Result& result, const Result* before) {
  Outcome outcome{.variant = result.variant, .lacking = not_timed(result)};
  if (!outcome.lacking.empty()) return outcome;
  outcome.seconds = result.timing().median;
  if (before != nullptr) take_speedup(outcome, study, result, *before);
  take_verdict(outcome, study, result);
  return outcome;
}

std::string explained(const StudyRecord& study, const Result& result, const Result& before) {
  const std::string why = explained_by(study, before, result);
  return why.empty() ? "" : as_sentence(why);
}

std::optional<double> speedup_in(std::string_view text) {
  if (text.ends_with('x') || text.ends_with('X')) text.remove_suffix(1);
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = error == std::errc{} && end == text.data() + text.size();
  constexpr double least = 1e-4, largest = 1e4;
  if (!whole || !(number >= least && number <= largest)) return std::nullopt;
  return number;
}

std::vector<std::string> words_for(const std::string& kind) {
  std::vector<std::string> words = roofline::verdict_words(kind);
  std::erase(words, roofline::no_roof_near);  // this text already states what is unknown
  return words;
}

std::string text_of(const Prediction& prediction, const Outcome& outcome, std::size_t width) {
  if (!outcome.lacking.empty())
    return roofline::paragraph("No outcome: " + outcome.lacking, 2, width);
  const std::string held =
      outcome.held_back_by.empty()
          ? fmt::format("What holds it back is not known: {}.", outcome.why_held_back)
          : fmt::format("Held back by {}: {}.{}", outcome.held_back_by, outcome.why_held_back,
                        said(prediction.held_back_by));
  return roofline::paragraph(speedup_text(prediction, outcome), 2, width) +
         roofline::paragraph(held, 2, width);
}

nlohmann::ordered_json to_json(const Prediction& prediction, const Outcome& outcome) {
  using roofline::json_number;
  const bool known = outcome.speedup.has_value();
  return {{"over", outcome.before},
          {"predicted", json_number(prediction.speedup)},
          {"speedup", json_number(outcome.speedup)},
          {"low", json_number(known ? std::optional(outcome.low) : std::nullopt)},
          {"high", json_number(known ? std::optional(outcome.high) : std::nullopt)},
          {"disturbed", outcome.disturbed},
          {"why", outcome.lacking.empty() ? outcome.why_speedup : outcome.lacking}};
}

}  // namespace gpp
