#include "harness/view/brief.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "harness/record/advice.h"
#include "harness/view/columns.h"
#include "harness/view/load_text.h"
#include "harness/view/outcome.h"
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

/// The most important rows that fit, in their order: failed ones, each model's first and fastest
/// ones, then those of the fastest model.
std::vector<ShownRow> rows_that_fit(const ShownResults& shown, std::size_t room) {
  const auto seconds = [](const ShownRow& row) { return row.result->timing().median; };
  std::map<std::string, std::pair<const Result*, const Result*>> first_and_fastest;
  std::optional<ShownRow> best;
  for (const ShownRow& row : shown.timed()) {
    auto& [first, fastest] = first_and_fastest[row.model];
    if (first == nullptr) first = row.result;
    if (fastest == nullptr || seconds(row) < fastest->timing().median) fastest = row.result;
    if (!best || seconds(row) < seconds(*best)) best = row;
  }
  const auto rank = [&](const ShownRow& row) {
    const auto& [first, fastest] = first_and_fastest[row.model];
    if (row.result->status == Status::failed) return 0;
    if (row.result == first || row.result == fastest) return 1;
    return best && row.result->model == best->result->model ? 2 : 3;
  };
  std::vector<ShownRow> kept = shown.rows();
  std::ranges::stable_sort(kept, {}, rank);
  kept.resize(std::min(room, kept.size()));
  std::vector<ShownRow> fitting = shown.rows();
  std::erase_if(fitting, [&kept](const ShownRow& row) {
    return std::ranges::find(kept, row.result, &ShownRow::result) == kept.end();
  });
  return fitting;
}

/// The table of these rows with explanations of its columns.
std::string table_text(const ShownResults& shown, const std::vector<ShownRow>& rows, bool colours) {
  if (rows.empty()) return {};
  const StudyRecord& study = rows.front().study();
  const bool ladder = !study.ladder.empty(), speedups = std::ranges::any_of(rows, [](const auto&r) {
                                               return speedup(r.study(), *r.result).has_value();
                                             });
  const roofline::Table table = table_of(
      shown, rows,
      {"model", "variant", ladder ? "" : "step", "passed", "time", "spread",
       speedups ? "speedup" : "work_rate", "joules_of_work", "published", "of_roof", "bound_by"},
      "results", "Results");
  std::string legend = "time: median, +- half its 95% interval.";
  if (kernel_of(study).published != nullptr && !ladder)
    legend += " " + kernel_of(study).published().legend;
  if (std::ranges::any_of(rows, [](const ShownRow& row) { return row.point != nullptr; }))
    legend += " of roof: of the nearest roof. bound by: that roof, or what else holds it back.";
  return terminal_text(table, colours) + roofline::paragraph(legend) + marks(study);
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

std::string warnings(const StudyRecord& study, bool colours) {
  const auto count = std::ranges::count_if(
      study.results, [](const Result& result) { return !defects_of(result).empty(); });
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

/// A step beside the previous one.
struct Gain {
  const Result* after = nullptr;
  Outcome outcome = {};
};

struct Gains {
  std::optional<Gain> largest;    ///< largest gain beyond noise
  std::optional<Gain> undecided;  ///< largest one that noise or others may have made
  bool any_pair = false;          ///< true if two consecutive steps were timed
};

Gains gains_of(const ShownResults& shown) {
  Gains gains;
  for (const ShownRow& row : shown.rows()) {
    const ShownRow* before = row.result->timed() ? shown.before(row) : nullptr;
    if (before == nullptr) continue;
    gains.any_pair = true;
    const Gain gain{row.result, outcome_of(row.study(), *row.result, before->result)};
    const auto keep = [&gain](std::optional<Gain>& kept) {
      if (!kept || *gain.outcome.speedup > *kept->outcome.speedup) kept = gain;
    };
    if (gain.outcome.verdict == Verdict::faster) keep(gains.largest);
    if (gain.outcome.verdict == Verdict::undecided) keep(gains.undecided);
  }
  return gains;
}

std::string told(const StudyRecord& study, const Gain& gain) {
  const std::string& why = gain.outcome.why_speedup;
  const bool explained = gain.outcome.verdict == Verdict::faster && !why.empty();
  return fmt::format("{} is {}.{}", name_in(study, *gain.after), gain_text(gain.outcome),
                     explained ? " " + why : "");
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
  const std::vector<NamedStudy> named = {{"", study}};
  const ShownResults shown(named);
  const auto with_rows = [&](std::size_t room) {
    const std::size_t left = shown.rows().size() - std::min(room, shown.rows().size());
    return above + table_text(shown, rows_that_fit(shown, room), colours) +
           (left == 0 ? "" : fmt::format("And {} more variants: --details shows all.\n", left)) +
           below;
  };
  std::size_t room = study.results.size();
  std::string text = with_rows(room);
  while (room > fewest_rows && lines_of(text) + lines_after > most_lines) text = with_rows(--room);
  return text;
}

std::string learnt(const StudyRecord& study) {
  if (const std::string first = trouble(study); !first.empty()) return roofline::paragraph(first);
  const std::vector<NamedStudy> named = {{"", study}};
  const Gains gains = gains_of(ShownResults(named));
  const std::optional<Gain>& gain = gains.largest ? gains.largest : gains.undecided;
  const Result& best = gain ? *gain->after : fastest_of(study);
  const std::string found =
      gain ? told(study, *gain)
           : (gains.any_pair ? "No step is faster than the one before it beyond noise. " : "") +
                 told(study, best);
  return roofline::paragraph(reservation(study) + found + " Next: " + next_to_explain(study, best));
}

std::string learnt_of_run(const StudyRecord& study) {
  if (const std::string first = trouble(study); !first.empty()) return roofline::paragraph(first);
  const Result& result = study.results.front();
  std::string text = reservation(study) + told(study, result);
  if (study.results.size() < 2 || !study.results[1].timed())
    return roofline::paragraph(text + " Next: " + next_to_explain(study, result));
  text += fmt::format(" It is {}.", gain_text(outcome_of(study, result, &study.results[1])));
  return roofline::paragraph(text + " Right on other inputs, too? " +
                             command_for(study, "check", result, result.variant));
}

}  // namespace gpp
