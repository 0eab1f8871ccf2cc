#include "harness/view/brief.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "harness/record/advice.h"
#include "harness/record/comparison.h"
#include "harness/view/load_text.h"
#include "harness/view/rows.h"
#include "harness/view/steps.h"
#include "harness/view/study_rooflines.h"
#include "harness/view/summary.h"
#include "roofline/base/terminal.h"
#include "roofline/base/units.h"
#include "roofline/verdict.h"

namespace gpp {
namespace {

constexpr std::size_t lines_after = 6;  ///< the findings, and the record's place
constexpr std::size_t fewest_rows = 4;
constexpr std::size_t failures_told = 2;

std::size_t lines_of(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

// ---- The table and what stands around it --------------------------------------------------------

/// The headline: input and devices.
std::string headline(const StudyRecord& study) {
  const Kernel& kernel = kernel_of(study);
  std::vector<std::string> devices;
  bool host = false;
  for (const Result& result : study.results) {
    if (result.device.empty()) continue;
    host = host || result.kind == "host";
    if (std::find(devices.begin(), devices.end(), result.device) == devices.end())
      devices.push_back(result.device);
  }
  std::string text = fmt::format("{} study of {}", kernel.title, input_name(study.input));
  if (kernel.describe_input != nullptr) text += ", " + kernel.describe_input(study.input);
  if (!devices.empty()) text += fmt::format(", on {}", fmt::join(devices, " and "));
  if (host) text += fmt::format(" ({})", describe_threads(study));
  return roofline::paragraph(text);
}

/// The priority of each row if there is no room for all; lower is more important.
std::map<const Result*, int> ranks_of(const StudyRecord& study) {
  std::map<std::string, std::pair<const Result*, const Result*>> first_and_fastest;
  for (const Result& result : study.results) {
    if (!result.timed()) continue;
    auto& [first, fastest] = first_and_fastest[model_label(result.model, result.kind)];
    if (first == nullptr) first = &result;
    if (fastest == nullptr || result.timing().median < fastest->timing().median) fastest = &result;
  }
  const Result* best = nullptr;
  for (const auto& [model, two] : first_and_fastest)
    if (best == nullptr || two.second->timing().median < best->timing().median) best = two.second;
  std::map<const Result*, int> ranks;
  for (const Result& result : study.results) {
    const auto& [first, fastest] = first_and_fastest[model_label(result.model, result.kind)];
    const bool with_the_best = best != nullptr && result.model == best->model;
    ranks[&result] = result.status == Status::failed          ? 0
                     : &result == first || &result == fastest ? 1
                     : with_the_best                          ? 2
                                                              : 3;
  }
  return ranks;
}

/// The most important results that fit, in their order.
std::vector<Result> rows_that_fit(const StudyRecord& study, std::size_t room) {
  std::vector<const Result*> ran;
  for (const Result& result : study.results)
    if (result.status != Status::unavailable) ran.push_back(&result);
  std::vector<const Result*> kept = ran;
  const std::map<const Result*, int> ranks = ranks_of(study);
  std::stable_sort(kept.begin(), kept.end(), [&ranks](const Result* a, const Result* b) {
    return ranks.at(a) < ranks.at(b);
  });
  kept.resize(std::min(room, kept.size()));
  std::vector<Result> shown;
  for (const Result* result : ran)
    if (std::find(kept.begin(), kept.end(), result) != kept.end()) shown.push_back(*result);
  return shown;
}

std::string not_run(const StudyRecord& study) {
  std::map<std::string, int> missing;
  for (const Result& result : study.results)
    if (result.status == Status::unavailable) ++missing[result.model];
  if (missing.empty()) return {};
  std::vector<std::string> parts;
  for (const auto& [model, count] : missing) parts.push_back(fmt::format("{} of {}", count, model));
  return roofline::paragraph(
      fmt::format("not run here: {}; {} list tells why.", fmt::join(parts, ", "), program_name()));
}

bool has_defects(const Result& result) {
  return !result.counted.defects.empty() ||
         std::any_of(result.rooflines.begin(), result.rooflines.end(),
                     [](const roofline::RooflinePoint& point) { return !point.defects.empty(); });
}

std::string warnings(const StudyRecord& study, bool colours) {
  const auto count = std::count_if(study.results.begin(), study.results.end(), has_defects);
  if (count == 0) return {};
  return roofline::coloured(fmt::format("Counts of {} variant{} are doubtful: --details tells why.",
                                        count, count == 1 ? "" : "s"),
                            roofline::Colour::yellow, colours) +
         "\n";
}

// ---- What was learnt ----------------------------------------------------------------------------

/// Returns "v8", or "omp v8" if several models ran.
std::string name_in(const StudyRecord& study, const Result& result) {
  std::set<std::string> models;
  for (const Result& one : study.results)
    if (one.status != Status::unavailable) models.insert(model_label(one.model, one.kind));
  return models.size() > 1
             ? fmt::format("{} {}", model_label(result.model, result.kind), result.variant)
             : result.variant;
}

/// Returns "gpp explain v9" with the option for this result's model.
std::string command_for(const StudyRecord& study, const char* command, const Result& result,
                        const std::string& variant) {
  std::string text = fmt::format("{} {} {}", program_name(), command, variant);
  if (result.model != (study.machine.gpus.empty() ? "omp" : "cuda"))
    text += " --model " + result.model;
  return text;
}

/// The step that acts on the result's limit; else the next step that ran; else this step.
std::string next_to_explain(const StudyRecord& study, const Result& result) {
  std::string variant = result.variant;
  const auto has = [&](const std::string& step) {
    return std::ranges::any_of(kernel_of(study).catalog(), [&](const Variant& one) {
      return one.model == result.model && one.id == step;
    });
  };
  if (const auto advice = advice_on(study, result);
      advice && advice->first.step != nullptr && has(advice->first.step->id)) {
    variant = advice->first.step->id;
  } else {
    const Result* next = nullptr;
    for (const Result& other : study.results)
      if (other.timed() && other.model == result.model && other.kind == result.kind &&
          number_of(other.variant) > number_of(result.variant) &&
          (next == nullptr || number_of(other.variant) < number_of(next->variant)))
        next = &other;
    if (next != nullptr) variant = next->variant;
  }
  return command_for(study, "explain", result, variant);
}

/// Returns "3.5 times", "1.15 times".
std::string times(double factor) {
  return fmt::format("{:.{}f} times", factor, factor < 2 ? 2 : factor < 10 ? 1 : 0);
}

/// A step, the previous one, and the gain.
struct Gain {
  const ShownRow* before = nullptr;
  const ShownRow* after = nullptr;
  double factor = 0;
};

struct Gains {
  std::optional<Gain> largest;  ///< largest gain beyond noise
  bool any_pair = false;        ///< true if two consecutive steps were timed
  bool few_runs = false;        ///< true if a pair has too few runs for a verdict
};

Gains gains_of(const ShownResults& shown) {
  Gains gains;
  for (const ShownRow& row : shown.rows()) {
    const ShownRow* before = row.result->timed() ? shown.before(row) : nullptr;
    if (before == nullptr) continue;
    gains.any_pair = true;
    const Result &was = *before->result, &is = *row.result;
    const Verdict verdict = judge_times(was, was.variant, 1, is, is.variant, 1).verdict;
    gains.few_runs = gains.few_runs || (verdict == Verdict::undecided && !was.trusted().disturbed &&
                                        !is.trusted().disturbed);
    const double factor = was.timing().median / is.timing().median;
    if (verdict == Verdict::faster && (!gains.largest || factor > gains.largest->factor))
      gains.largest = Gain{before, &row, factor};
  }
  return gains;
}

std::string told(const StudyRecord& study, const Gain& gain) {
  const std::string evidence = explained_by(study, *gain.before->result, *gain.after->result);
  const auto cycles = gain_that_clocks_hide(*gain.before->result, *gain.after->result);
  return fmt::format("{} is {} as fast as {}{}{}.", name_in(study, *gain.after->result),
                     times(gain.factor), gain.before->result->variant,
                     cycles ? fmt::format(" ({} at an equal clock)", times(*cycles)) : "",
                     evidence.empty() ? "" : ": " + evidence);
}

/// Returns "v1 takes 1.5 ms, at 11% of its nearest roof, L2; scalar code holds it back."
std::string told(const StudyRecord& study, const Result& result) {
  std::string text = fmt::format("{} takes {}", name_in(study, result),
                                 roofline::describe_seconds(result.timing().median));
  const roofline::RooflinePoint* point = result.roofline();
  if (point == nullptr) return text + ".";
  const std::string roof = point->bound_by == "compute"
                               ? "arithmetic"
                               : roofline::level_label(result.kind, point->bound_by);
  text += fmt::format(", at {} of its nearest roof, {}",
                      roofline::percent_text(point->percent_of_roof), roof);
  const roofline::Verdict why = verdict(*point, result.counted.metrics);
  if (why.by != point->bound_by && why.by != roofline::no_roof_near)
    text += fmt::format("; {} holds it back",
                        result.kind == "host" && why.by == "latency" ? why.by : why.text());
  return text + ".";
}

/// The fastest timed result; at least one must exist.
const Result& fastest_of(const StudyRecord& study) {
  const Result* best = nullptr;
  for (const Result& result : study.results)
    if (result.timed() && (best == nullptr || result.timing().median < best->timing().median))
      best = &result;
  return *best;
}

bool any_timed(const StudyRecord& study) {
  return std::any_of(study.results.begin(), study.results.end(),
                     [](const Result& result) { return result.timed(); });
}

std::string failed_sentence(const StudyRecord& study) {
  const Result* first = nullptr;
  std::size_t failed = 0, ran = 0;
  for (const Result& result : study.results) {
    if (result.status != Status::unavailable) ++ran;
    if (result.status != Status::failed) continue;
    ++failed;
    if (first == nullptr) first = &result;
  }
  const std::string who =
      failed == 1 ? name_in(study, *first) : fmt::format("{} of {} variants", failed, ran);
  return fmt::format("{} failed, as told above: no time of {} counts. Next: {}", who,
                     failed == 1 ? "it" : "theirs",
                     command_for(study, "check", *first, first->variant));
}

/// A text about problems that precede all findings; empty if there are none.
std::string trouble(const StudyRecord& study) {
  if (any_failed(study)) return failed_sentence(study);
  if (!study.reference.disagreement.empty())
    return "The input is in doubt, so these times may be of another problem. Next: copy or "
           "generate the input again.";
  if (!any_timed(study))
    return study.complete ? "Nothing was timed. Next: " + program_name() + " doctor"
                          : "The study was interrupted before anything was timed.";
  return {};
}

/// A warning about doubtful times; empty if they can be trusted.
std::string reservation(const StudyRecord& study) {
  const auto disturbed = std::count_if(
      study.results.begin(), study.results.end(),
      [](const Result& result) { return result.timed() && result.trusted().disturbed; });
  std::string text = study.complete ? "" : "The study was interrupted. ";
  if (disturbed > 0)
    text += fmt::format("Others disturbed the time{} of {} variant{}. ", disturbed == 1 ? "" : "s",
                        disturbed, disturbed == 1 ? "" : "s");
  return text;
}

}  // namespace

std::string brief(const StudyRecord& study, bool colours) {
  const std::string above = headline(study) + "\n";
  const std::string below =
      not_run(study) + warnings(study, colours) + doubt_banner(study, colours) +
      verdict_on_checks(study, colours, failures_told) + doubts(study, colours);
  const auto with_rows = [&](std::size_t room) {
    const std::vector<Result> shown = rows_that_fit(study, room);
    const auto ran =
        std::count_if(study.results.begin(), study.results.end(),
                      [](const Result& result) { return result.status != Status::unavailable; });
    const std::size_t left = static_cast<std::size_t>(ran) - shown.size();
    return above + results_in_brief(study, shown, colours) +
           (left == 0 ? "" : fmt::format("And {} more variants: --details shows all.\n", left)) +
           below;
  };
  std::size_t room = study.results.size();
  std::string text = with_rows(room);
  while (room > fewest_rows && lines_of(text) + lines_after > most_lines) text = with_rows(--room);
  return text;
}

std::string brief_so_far(const StudyRecord& study) {
  return results_in_brief(study, rows_that_fit(study, study.results.size()), false);
}

std::string learnt(const StudyRecord& study) {
  if (const std::string first = trouble(study); !first.empty()) return roofline::paragraph(first);
  const std::vector<NamedStudy> named = {{"", study}};
  const ShownResults shown(named);
  const Gains gains = gains_of(shown);
  const std::string before = reservation(study);
  if (gains.largest)
    return roofline::paragraph(before + told(study, *gains.largest) +
                               " Next: " + next_to_explain(study, *gains.largest->after->result));
  const Result& best = fastest_of(study);
  const std::string none = !gains.any_pair ? ""
                           : gains.few_runs
                               ? fmt::format(
                                     "Runs are too few to tell a gain from noise: take "
                                     "--repeat {} or more. ",
                                     least_samples)
                               : "No step is faster than the one before it beyond noise. ";
  return roofline::paragraph(before + none + told(study, best) +
                             " Next: " + next_to_explain(study, best));
}

std::string learnt_of_run(const StudyRecord& study) {
  if (const std::string first = trouble(study); !first.empty()) return roofline::paragraph(first);
  const Result& result = study.results.front();
  std::string text = reservation(study) + told(study, result);
  if (study.results.size() < 2 || !study.results[1].timed())
    return roofline::paragraph(text + " Next: " + next_to_explain(study, result));
  const Result& parent = study.results[1];
  const Judgement judged = judge_times(parent, parent.variant, 1, result, result.variant, 1);
  const double factor = parent.timing().median / result.timing().median;
  const bool certain = judged.verdict == Verdict::faster || judged.verdict == Verdict::slower;
  text += certain ? fmt::format(" It is {} as fast as {}.", times(factor), parent.variant)
          : judged.verdict == Verdict::same
              ? fmt::format(" It is neither faster nor slower than {}: the difference is noise.",
                            parent.variant)
              : fmt::format(" Faster or slower than {} is undecided: {}.", parent.variant,
                            judged.remark);
  return roofline::paragraph(text + " Right on other inputs, too? " +
                             command_for(study, "check", result, result.variant));
}

}  // namespace gpp
