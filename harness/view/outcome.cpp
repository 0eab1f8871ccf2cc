#include "harness/view/outcome.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <charconv>

#include "harness/program/source_diff.h"
#include "harness/record/derive.h"
#include "harness/view/steps.h"
#include "roofline/advice.h"
#include "roofline/base/json_place.h"
#include "roofline/base/terminal.h"
#include "roofline/base/units.h"

namespace gpp {
namespace {

using roofline::times_text;

/// The reason why a result has no time; empty if it was timed.
std::string not_timed(const Result& result) {
  if (result.timed()) return {};
  if (result.status == Status::passed) return fmt::format("{} was not timed", result.variant);
  return fmt::format("{} {}: {}", result.variant,
                     result.status == Status::failed ? "failed" : "did not run", result.reason);
}

/// The counter that explains the change of time, as a sentence; empty if none does.
std::string explanation_of(const StudyRecord& study, const Result& result, const Result& before) {
  std::string why = explained_by(study, before, result);
  if (why.empty()) return {};
  why.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(why.front())));
  return why + ".";
}

/// The explanation of a speedup, or the reason why it is not known.
std::string why_of(const Outcome& outcome) {
  const bool decided = outcome.verdict == Verdict::faster || outcome.verdict == Verdict::slower;
  return decided && outcome.why_speedup.empty() ? "No counter of this run accounts for half of it."
                                                : outcome.why_speedup;
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
  outcome.in_cycles = gain_that_clocks_hide(before, result);
  const Judgement judged = judge_times(before, before.variant, 1, result, result.variant, 1);
  outcome.verdict = judged.verdict;
  if (judged.verdict == Verdict::undecided)
    outcome.why_speedup = judged.remark;
  else if (judged.verdict != Verdict::same)
    outcome.why_speedup = explanation_of(study, result, before);
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

/// What a thread of the launch with the most registers takes, which is the main kernel.
std::string resources_of(const Result& result) {
  const auto most = std::ranges::max_element(result.launches, {}, &Launch::registers);
  if (most == result.launches.end() || most->registers == 0) return {};
  return fmt::format("{} registers a thread and {} occupancy", most->registers,
                     roofline::percent_text(100 * most->occupancy, 0));
}

std::string said(const std::string& what) {
  return what.empty() ? "" : fmt::format(" You said {}.", what);
}

/// Names a factor only where it is decided, so that no two sentences contradict each other.
std::string speedup_text(const Prediction& prediction, const Outcome& outcome) {
  const std::string time = roofline::describe_seconds(outcome.seconds);
  if (outcome.before.empty()) return fmt::format("{} takes {}.", outcome.variant, time);
  if (!outcome.speedup)
    return fmt::format("{} takes {}; {}.", outcome.variant, time, outcome.why_speedup);
  const std::string both =
      fmt::format("{} takes {}, and {} {}", outcome.variant, time, outcome.before,
                  roofline::describe_seconds(outcome.seconds_before));
  const bool decided = outcome.verdict == Verdict::faster || outcome.verdict == Verdict::slower;
  return fmt::format("{}: it is {}.{}{}", both, gain_text(outcome),
                     said(prediction.speedup ? times_text(*prediction.speedup) : ""),
                     decided ? " " + why_of(outcome) : "");
}

}  // namespace

Outcome outcome_of(const StudyRecord& study, const Result& result, const Result* before) {
  Outcome outcome{.variant = result.variant, .lacking = not_timed(result)};
  if (!outcome.lacking.empty()) return outcome;
  outcome.seconds = result.timing().median;
  if (before != nullptr) take_speedup(outcome, study, result, *before);
  take_verdict(outcome, study, result);
  outcome.resources = resources_of(result);
  if (const std::string were = before == nullptr ? "" : resources_of(*before);
      !were.empty() && !outcome.resources.empty())
    outcome.resources += fmt::format(" ({}: {})", before->variant, were);
  return outcome;
}

std::string gain_text(const Outcome& outcome) {
  const std::string range =
      fmt::format("between {} and {} (95%)", times_text(outcome.low), times_text(outcome.high));
  if (outcome.verdict == Verdict::same)
    return fmt::format("neither faster nor slower than {} beyond noise, {}", outcome.before, range);
  const bool certain = outcome.verdict != Verdict::undecided;
  return fmt::format("{}{} as fast as {}{}, {}{}", certain ? "" : "about ",
                     times_text(*outcome.speedup), outcome.before,
                     outcome.in_cycles
                         ? fmt::format(" ({} at an equal clock)", times_text(*outcome.in_cycles))
                         : "",
                     range, certain ? "" : ", which is not certain: " + outcome.why_speedup);
}

Choice parent_of(const std::vector<Variant>& catalog, const Choice& child) {
  if (child.variant->id != child.variant->step) return {};
  const Variant* parent = predecessor(catalog, *child.variant);
  return parent == nullptr ? Choice()
                           : choose(*parent, child.build != nullptr ? child.build->kind : "");
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
  if (!outcome.lacking.empty()) return roofline::paragraph(outcome.lacking + ".", 2, width);
  std::string held =
      outcome.held_back_by.empty()
          ? fmt::format("What holds it back is not known: {}.", outcome.why_held_back)
          : fmt::format("Held back by {}: {}.{}", outcome.held_back_by, outcome.why_held_back,
                        said(prediction.held_back_by));
  if (!outcome.resources.empty()) held += fmt::format(" Its launch has {}.", outcome.resources);
  return roofline::paragraph(speedup_text(prediction, outcome), 2, width) +
         roofline::paragraph(held, 2, width);
}

nlohmann::ordered_json to_json(const Prediction& prediction, const Outcome& outcome) {
  using roofline::json_number;
  const auto known = [&outcome](double value) {
    return outcome.speedup ? json_number(value) : nlohmann::ordered_json(nullptr);
  };
  return {{"over", outcome.before},
          {"predicted", json_number(prediction.speedup)},
          {"speedup", json_number(outcome.speedup)},
          {"low", known(outcome.low)},
          {"high", known(outcome.high)},
          {"verdict", name_of(outcome.verdict)},
          {"why", outcome.lacking.empty() ? why_of(outcome) : outcome.lacking}};
}

}  // namespace gpp
