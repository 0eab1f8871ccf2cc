#include "harness/record/ladder.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

#include "roofline/json.h"

namespace gpp {
namespace {

const Result* result_of(const StudyRecord& study, const std::string& model,
                        const std::string& variant) {
  for (const Result& result : study.results)
    if (result.model == model && result.variant == variant) return &result;
  return nullptr;
}

/// True if the model has a source for the step.
bool has_step(const StudyRecord& study, const std::string& model, const LadderStep& step) {
  return std::ranges::any_of(kernel_of(study).catalog(), [&](const Variant& variant) {
    return variant.model == model && variant.id == step.variant && !variant.source.ends_with(".md");
  });
}

/// The reason why a step has no time; empty if it has one.
std::string why_no_time(const StudyRecord& study, const LadderRun& run, const LadderRow& row) {
  if (row.result == nullptr)
    return has_step(study, run.model, *row.step)
               ? "left out"
               : fmt::format("the model {} has no such step", run.model);
  if (row.result->status != Status::passed)
    return fmt::format("{}: {}", name_of(row.result->status), row.result->reason);
  if (!row.result->timed()) return "not timed";
  return row.result->kind == run.kind ? "" : fmt::format("ran on the {}", row.result->kind);
}

std::optional<double> ratio(std::optional<double> before, std::optional<double> after) {
  return before && after ? std::optional(*before / *after) : std::nullopt;
}

/// Computes a row's gain and speedup after all times are known. The model may lack some steps that
/// come before the row's.
void add_ratios(const StudyRecord& study, const PublishedLadder& ladder, const LadderRun& run,
                LadderRow& row) {
  const LadderStep* step = ladder.changed_by(*row.step);
  while (step != nullptr && !has_step(study, run.model, *step)) step = ladder.changed_by(*step);
  const auto changed = std::ranges::find(run.rows, step, &LadderRow::step);
  row.measured.speedup = ratio(run.rows.front().measured.seconds, row.measured.seconds);
  if (changed == run.rows.end()) return;
  row.measured.gain = ratio(changed->measured.seconds, row.measured.seconds);
  if (row.measured.gain) row.gain_in_cycles = gain_that_clocks_hide(*changed->result, *row.result);
}

/// Compares the gain, else the speedup.
std::string verdict(const StepNumbers& published, const StepNumbers& measured) {
  const auto there = published.gain ? published.gain : published.speedup;
  const auto here = published.gain ? measured.gain : measured.speedup;
  return there && here ? compare_gains(*there, *here) : "";
}

/// The share of the FP64 peak, if the result has a point on that roofline.
std::optional<double> percent_of_peak(const Result& result) {
  for (const roofline::RooflinePoint& point : result.rooflines)
    if (point.precision == "fp64") return point.percent_of_peak;
  return std::nullopt;
}

/// The ladder in one model. Steps that the study lacks have no numbers.
LadderRun ladder_run(const StudyRecord& study, const PublishedLadder& ladder,
                     const std::string& model) {
  LadderRun run = published_run(ladder);
  run.model = model;
  for (LadderRow& row : run.rows) {
    row.result = result_of(study, model, row.step->variant);
    if (run.kind.empty() && row.result != nullptr && row.result->timed())
      run.kind = row.result->kind;
    row.reason = why_no_time(study, run, row);
    if (row.reason.empty()) {
      row.measured.seconds = row.result->timing().median;
      row.measured.percent_of_peak = percent_of_peak(*row.result);
    }
  }
  for (LadderRow& row : run.rows) add_ratios(study, ladder, run, row);
  for (LadderRow& row : run.rows)
    if (&row != &run.rows.front()) row.holds = verdict(row.published, row.measured);
  return run;
}

}  // namespace

std::string compare_gains(double published, double measured) {
  constexpr double least = 0.03;
  const double there = std::log(published), here = std::log(measured);
  if (std::abs(here - there) <= std::max(least, std::abs(there) / 3)) return "yes";
  if (here * there <= 0 || std::abs(here) < least) return "no";
  return std::abs(here) > std::abs(there) ? "more" : "less";
}

const PublishedLadder* ladder_of(const StudyRecord& study) {
  return study.ladder.empty() ? nullptr : find_ladder(kernel_of(study), study.ladder);
}

std::string name_in_charts(const StudyRecord& study, const std::string& variant) {
  const std::string prefix = study.ladder + '_';
  if (study.ladder.empty() || !variant.starts_with(prefix)) return variant;
  const std::size_t idea = variant.find('_', prefix.size());
  return variant.substr(0, idea);
}

std::vector<LadderRun> ladder_runs(const StudyRecord& study) {
  std::vector<LadderRun> runs;
  const PublishedLadder* ladder = ladder_of(study);
  if (ladder == nullptr) return runs;
  for (const Result& result : study.results)
    if (std::ranges::none_of(runs,
                             [&result](const LadderRun& run) { return run.model == result.model; }))
      runs.push_back(ladder_run(study, *ladder, result.model));
  return runs;
}

LadderRun published_run(const PublishedLadder& ladder) {
  LadderRun run;
  for (const LadderStep& step : ladder.steps) {
    LadderRow& row = run.rows.emplace_back();
    row.step = &step;
    row.published = {step.seconds, step.gain, step.speedup, step.percent_of_peak};
  }
  return run;
}

Json ladder_json(const StudyRecord& study) {
  const PublishedLadder& ladder = *ladder_of(study);
  const auto numbers = [](const StepNumbers& step) {
    return Json{{"seconds", roofline::json_number(step.seconds)},
                {"gain", roofline::json_number(step.gain)},
                {"speedup", roofline::json_number(step.speedup)},
                {"percent_of_peak", roofline::json_number(step.percent_of_peak)}};
  };
  Json rows = Json::array();
  for (const LadderRun& run : ladder_runs(study))
    for (const LadderRow& row : run.rows)
      rows.push_back({{"step", row.step->label},
                      {"variant", row.step->variant},
                      {"model", run.model},
                      {"change", row.step->change},
                      {"told", row.step->told},
                      {"published", numbers(row.published)},
                      {"measured", numbers(row.measured)},
                      {"gain_in_cycles", roofline::json_number(row.gain_in_cycles)},
                      {"holds", row.holds.empty() ? Json(nullptr) : Json(row.holds)},
                      {"reason", row.reason}});
  return {{"name", ladder.name}, {"rows", rows}};
}

}  // namespace gpp
