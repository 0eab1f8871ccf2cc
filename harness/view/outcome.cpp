#include "harness/view/outcome.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>

#include "harness/program/source_diff.h"
#include "harness/record/advice.h"
#include "harness/record/derive.h"
#include "roofline/advice.h"
#include "roofline/base/json_place.h"
#include "roofline/base/text.h"

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
  outcome.why_undecided = not_timed(before);
  if (!outcome.why_undecided.empty()) return;
  const Timing slow = before.timing(), fast = result.timing();
  outcome.speedup = slow.median / fast.median;
  outcome.low = slow.low / fast.high;
  outcome.high = slow.high / fast.low;
  outcome.in_cycles = gain_that_clocks_hide(before, result);
  const Judgement judged = judge_times(before, before.variant, result, result.variant);
  outcome.verdict = judged.verdict;
  outcome.disturbed = before.trusted().disturbed || result.trusted().disturbed;
  outcome.why_undecided = judged.remark;
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

std::string limit_text(const Outcome& outcome) {
  return outcome.held_back_by.empty()
             ? fmt::format("What holds it back is not known: {}.", outcome.why_held_back)
             : fmt::format("Held back by {}: {}.", outcome.held_back_by, outcome.why_held_back);
}

/// Returns "Next: gpp explain v9" with the option for this result's model.
std::string next(const StudyRecord& study, const char* command, const Result& result,
                 const std::string& variant) {
  std::string text = fmt::format("Next: {} {} {}", program_name(), command, variant);
  if (result.model != (study.machine.gpus.empty() ? "omp" : "cuda"))
    text += " --model " + result.model;
  return text;
}

/// Explains the step that acts on the result's limit, else this step.
std::string next_step(const StudyRecord& study, const Result& result) {
  const auto advice = advice_on(study, result);
  const StepAim* step = advice ? advice->causes.front().step : nullptr;
  return next(study, "explain", result, step != nullptr ? step->id : result.variant);
}

/// A text about problems that precede all findings; empty if there are none.
std::string trouble(const StudyRecord& study) {
  for (const Result& result : study.results)
    if (result.status == Status::failed)
      return fmt::format("{} failed: no time of it counts. {}", result.variant,
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
  return outcome;
}

std::vector<StudyFinding> findings(const ShownResults& shown) {
  std::vector<StudyFinding> found;
  const auto add = [&found](const ShownRow& row, const Result* before) {
    found.push_back({row, outcome_of(row.study(), *row.result, before)});
  };
  const std::vector<ShownRow> timed = shown.timed();
  for (const ShownRow& row : timed) {
    if (row.result->sources.empty()) continue;
    const ShownRow* before = shown.before(row);
    add(row, before == nullptr ? nullptr : before->result);
  }
  if (!found.empty() || timed.empty()) return found;
  const ShownRow& fastest = *std::ranges::max_element(
      timed, {}, [](const ShownRow& row) { return terms_per_second(row.study(), *row.result); });
  const Result* first = first_step_of(fastest.study(), *fastest.result);
  add(fastest, first == fastest.result ? nullptr : first);
  return found;
}

std::string gain_sentence(const Outcome& outcome) {
  std::string text =
      fmt::format("{} takes {}", outcome.variant, roofline::describe_seconds(outcome.seconds));
  if (!outcome.speedup)
    return text + (outcome.why_undecided.empty() ? "" : "; " + outcome.why_undecided) + ".";
  text += fmt::format(
      ": {}{} over {}, between {} and {} (95%)",
      outcome.verdict == Verdict::undecided || outcome.verdict == Verdict::same ? "perhaps " : "",
      times_text(*outcome.speedup), outcome.before, times_text(outcome.low),
      times_text(outcome.high));
  if (outcome.in_cycles)
    text += fmt::format(", {} at an equal clock", times_text(*outcome.in_cycles));
  if (outcome.verdict == Verdict::same) return text + ", within noise.";
  if (outcome.disturbed) return text + ", disturbed.";
  return text + (outcome.why_undecided.empty() ? "" : ": " + outcome.why_undecided) + ".";
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

std::string text_of(std::optional<double> predicted, const Outcome& outcome, std::size_t width) {
  if (!outcome.lacking.empty()) return roofline::paragraph(outcome.lacking + ".", 2, width);
  std::string gain = gain_sentence(outcome);
  if (outcome.speedup && predicted) gain += fmt::format(" You said {}.", times_text(*predicted));
  return roofline::paragraph(gain, 2, width) + roofline::paragraph(limit_text(outcome), 2, width);
}

nlohmann::ordered_json to_json(std::optional<double> predicted, const Outcome& outcome) {
  using roofline::json_number;
  const auto known = [&outcome](double value) {
    return outcome.speedup ? json_number(value) : nlohmann::ordered_json(nullptr);
  };
  return {{"over", outcome.before},
          {"predicted", json_number(predicted)},
          {"speedup", json_number(outcome.speedup)},
          {"low", known(outcome.low)},
          {"high", known(outcome.high)},
          {"verdict", name_of(outcome.verdict)},
          {"why", outcome.lacking.empty() ? outcome.why_undecided : outcome.lacking}};
}

std::string learnt(const StudyRecord& study) {
  if (const std::string first = trouble(study); !first.empty()) return roofline::paragraph(first);
  const std::vector<NamedStudy> named = {{"", study}};
  const ShownResults shown(named);
  const std::vector<StudyFinding> all = findings(shown);
  const StudyFinding& best = *std::ranges::min_element(
      all, {}, [](const StudyFinding& finding) { return finding.outcome.seconds; });
  return roofline::paragraph(fmt::format("{}: {} {} {}", best.row.model,
                                         gain_sentence(best.outcome), limit_text(best.outcome),
                                         next_step(study, *best.row.result)));
}

std::string learnt_of_run(const StudyRecord& study, std::optional<double> predicted) {
  if (const std::string first = trouble(study); !first.empty()) return roofline::paragraph(first);
  const Result& result = study.results.front();
  const Result* before = study.results.size() > 1 ? &study.results[1] : nullptr;
  return text_of(predicted, outcome_of(study, result, before), page_width) +
         roofline::paragraph(next_step(study, result));
}

}  // namespace gpp
