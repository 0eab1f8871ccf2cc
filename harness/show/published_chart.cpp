#include "harness/show/published_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <sstream>

#include "harness/record/ladder.h"
#include "harness/show/roofline_chart.h"
#include "harness/show/rungs.h"
#include "roofline/base/table.h"

namespace gpp {
namespace {

namespace colour = roofline::colour;

using Numbers = StepNumbers LadderRow::*;

/// The speedups of one run, published or measured.
RungSeries series_of(const LadderRun& run, Numbers which, std::string title, const char* colour) {
  RungSeries series{std::move(title), colour, {}};
  for (std::size_t i = 0; i < run.rows.size(); ++i)
    if (const std::optional<double> speedup = (run.rows[i].*which).speedup)
      series.rungs.push_back({i, *speedup, fmt::format("{:.2f}x", *speedup)});
  return series;
}

/// The device of the model's first timed step.
std::string device_of(const LadderRun& run) {
  for (const LadderRow& row : run.rows)
    if (row.measured.seconds) return row.result->device;
  return {};
}

/// The published rungs begin where the ladder does.
RungSeries published(const PublishedLadder& ladder, const LadderRun& run) {
  LadderRun whole = run;
  const bool any = std::any_of(run.rows.begin(), run.rows.end(), [](const LadderRow& row) {
    return row.published.speedup.has_value();
  });
  if (any) whole.rows.front().published.speedup = 1;
  return series_of(whole, &LadderRow::published, fmt::format("{}, published", ladder.device),
                   colour::grey);
}

/// The step's label; below it what it changes, or that no model has a number of it.
std::vector<std::string> lines_below(const std::vector<LadderRun>& runs, std::size_t step) {
  std::vector<std::string> lines = {runs.front().rows[step].step->label};
  const bool none = std::none_of(runs.begin(), runs.end(), [step](const LadderRun& run) {
    return run.rows[step].measured.speedup.has_value();
  });
  if (none) lines.emplace_back("no number");
  constexpr std::size_t narrow = 16;
  std::istringstream change(roofline::wrapped(runs.front().rows[step].step->change, narrow, 0));
  for (std::string line; !none && std::getline(change, line);) lines.push_back(line);
  return lines;
}

/// The measured ones first, on top; nothing where nothing was measured.
std::vector<RungSeries> all_series(const PublishedLadder& ladder,
                                   const std::vector<LadderRun>& runs) {
  static constexpr std::array<const char*, 5> colours = {
      colour::blue, colour::vermilion, colour::green, colour::orange, colour::purple};
  std::vector<RungSeries> all;
  for (const LadderRun& run : runs) {
    const std::string title =
        fmt::format("{}, {}", device_of(run), model_label(run.model, run.kind));
    RungSeries series =
        series_of(run, &LadderRow::measured, title, colours[all.size() % colours.size()]);
    if (!series.rungs.empty()) all.push_back(std::move(series));
  }
  if (all.empty()) return all;
  if (RungSeries known = published(ladder, runs.front()); !known.rungs.empty())
    all.push_back(std::move(known));
  return all;
}

}  // namespace

std::optional<roofline::Drawing> draw_published_ladder(const StudyRecord& study,
                                                       const std::string& name) {
  const PublishedLadder* ladder = ladder_of(study);
  if (ladder == nullptr) return std::nullopt;
  const std::vector<LadderRun> runs = ladder_runs(study);
  RungChart chart;
  chart.series = all_series(*ladder, runs);
  if (chart.series.empty()) return std::nullopt;
  chart.name = name;
  chart.title = fmt::format("{}: speedup over {}", ladder->title, ladder->steps.front().label);
  chart.subtitle = fmt::format("{}, {:.3e} {}; {}", input_name(study.input),
                               static_cast<double>(study.input.terms), kernel_of(study).work,
                               study.created.substr(0, 10));
  chart.value = "speedup";
  chart.unit = 'x';
  chart.meaning =
      "`rung`: the speedup of a step over the first; `riser`: from one to the next; `label`: its "
      "number.";
  chart.gaps_part = true;
  for (std::size_t i = 0; i < ladder->steps.size(); ++i)
    chart.steps.push_back(lines_below(runs, i));
  return draw_rungs(chart);
}

}  // namespace gpp
