#include "harness/view/outcome.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <tuple>

#include "harness/program/source_diff.h"
#include "harness/record/advice.h"
#include "harness/record/derive.h"
#include "harness/view/columns.h"
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

void take_speedup(Outcome& outcome, const Result& result, const Result& before) {
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
  outcome.why_speedup = judged.remark;
  if (judged.verdict != Verdict::faster && judged.verdict != Verdict::slower) return;
  const std::string why = explained_by(before, result);
  outcome.why_speedup = why.empty() ? "No counter of this run accounts for half of it."
                                    : fmt::format("What goes along with it: {}.", why);
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

/// "it is 4.00x as fast as v1, between 3.90x and 4.10x (95%)"; where that is not certain, it says
/// why.
std::string gain_text(const Outcome& outcome) {
  const std::string range =
      fmt::format("between {} and {} (95%)", times_text(outcome.low), times_text(outcome.high));
  if (outcome.verdict == Verdict::same)
    return fmt::format("neither is faster beyond noise, {}", range);
  const std::string cycles =
      outcome.in_cycles ? fmt::format(" ({} at an equal clock)", times_text(*outcome.in_cycles))
                        : "";
  const bool certain = outcome.verdict != Verdict::undecided;
  return fmt::format("it is {}{} as fast{}, {}{}", certain ? "" : "perhaps ",
                     times_text(*outcome.speedup), cycles, range,
                     certain ? "" : ": " + outcome.why_speedup);
}

std::string speedup_text(const Prediction& prediction, const Outcome& outcome) {
  const std::string time =
      fmt::format("{} takes {}", outcome.variant, roofline::describe_seconds(outcome.seconds));
  if (!outcome.speedup)
    return fmt::format("{}{}{}.", time, outcome.why_speedup.empty() ? "" : "; ",
                       outcome.why_speedup);
  const bool decided = outcome.verdict == Verdict::faster || outcome.verdict == Verdict::slower;
  return fmt::format("{}, and {} {}: {}.{}{}", time, outcome.before,
                     roofline::describe_seconds(outcome.seconds_before), gain_text(outcome),
                     said(prediction.speedup ? times_text(*prediction.speedup) : ""),
                     decided ? " " + outcome.why_speedup : "");
}

std::string limit_text(const Prediction& prediction, const Outcome& outcome) {
  if (outcome.held_back_by.empty())
    return fmt::format("What holds it back is not known: {}.", outcome.why_held_back);
  return fmt::format("Held back by {}: {}.{}", outcome.held_back_by, outcome.why_held_back,
                     said(prediction.held_back_by));
}

/// Returns "Next: gpp explain v9" with the option for this result's model.
std::string next(const StudyRecord& study, const char* command, const Result& result,
                 const std::string& variant) {
  std::string text = fmt::format(" Next: {} {} {}", program_name(), command, variant);
  if (result.model != (study.machine.gpus.empty() ? "omp" : "cuda"))
    text += " --model " + result.model;
  return text;
}

/// Explains the step that acts on the result's limit, else this step.
std::string next_step(const StudyRecord& study, const Result& result) {
  const auto advice = advice_on(study, result);
  const bool known = advice && advice->first.step != nullptr;
  return next(study, "explain", result, known ? advice->first.step->id : result.variant);
}

/// A text about problems that precede all findings; empty if there are none.
std::string trouble(const StudyRecord& study) {
  for (const Result& result : study.results)
    if (result.status == Status::failed)
      return fmt::format("{} failed: no time of it counts.{}", result.variant,
                         next(study, "check", result, result.variant));
  if (!study.reference.disagreement.empty())
    return "The input is in doubt, so these times may be of another problem. Next: copy or "
           "generate the input again.";
  if (std::ranges::none_of(study.results, &Result::timed))
    return "Nothing was timed. Next: " + program_name() + " doctor";
  return {};
}

}  // namespace

Outcome outcome_of(const StudyRecord& study, const Result& result, const Result* before) {
  Outcome outcome{.variant = result.variant, .lacking = not_timed(result)};
  if (!outcome.lacking.empty()) return outcome;
  outcome.seconds = result.timing().median;
  if (before != nullptr) take_speedup(outcome, result, *before);
  take_verdict(outcome, study, result);
  outcome.resources = resources_of(result);
  if (const std::string were = before == nullptr ? "" : resources_of(*before);
      !were.empty() && !outcome.resources.empty())
    outcome.resources += fmt::format(" ({}: {})", before->variant, were);
  return outcome;
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
  std::string held = limit_text(prediction, outcome);
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
          {"why", outcome.lacking.empty() ? outcome.why_speedup : outcome.lacking}};
}

std::string learnt(const StudyRecord& study) {
  if (const std::string first = trouble(study); !first.empty()) return roofline::paragraph(first);
  const std::vector<NamedStudy> named = {{"", study}};
  const ShownResults shown(named);
  const std::vector<ShownRow> rows = shown.timed();
  const ShownRow* best = &*std::ranges::min_element(
      rows, {}, [](const ShownRow& row) { return row.result->timing().median; });
  Outcome most = outcome_of(study, *best->result, nullptr);
  // First what its user wrote, then gains that are certain, then perhaps others.
  const auto rank = [](const ShownRow& row, const Outcome& outcome) {
    const bool gain = outcome.verdict == Verdict::faster ||
                      (outcome.verdict == Verdict::undecided && *outcome.speedup > 1);
    return std::tuple(outcome.speedup && !row.result->sources.empty(),
                      outcome.verdict == Verdict::faster, gain ? *outcome.speedup : 0.0);
  };
  for (const ShownRow& row : rows) {
    const ShownRow* before = shown.before(row);
    if (before == nullptr) continue;
    const Outcome outcome = outcome_of(study, *row.result, before->result);
    if (rank(row, outcome) <= rank(*best, most)) continue;
    most = outcome;
    best = &row;
  }
  return roofline::paragraph(fmt::format("{}: {} {}{}", best->model, speedup_text({}, most),
                                         limit_text({}, most), next_step(study, *best->result)));
}

std::string learnt_of_run(const StudyRecord& study, const Prediction& prediction) {
  if (const std::string first = trouble(study); !first.empty()) return roofline::paragraph(first);
  const Result& result = study.results.front();
  const Result* before = study.results.size() > 1 ? &study.results[1] : nullptr;
  return text_of(prediction, outcome_of(study, result, before), page_width) +
         roofline::paragraph(next_step(study, result).substr(1));
}

}  // namespace gpp
