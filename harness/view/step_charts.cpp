// Charts by step: ladders, the speed of each step beside the published one; and what its warps
// waited for.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "harness/record/ladder.h"
#include "harness/view/study_charts.h"
#include "roofline/base/text.h"
#include "roofline/models/model_table.h"
#include "roofline/view/axes.h"

namespace gpp {
namespace {

using roofline::Chart;
using roofline::ChartLine;
using roofline::ChartPoint;
using roofline::with_prefix;

constexpr double longest_half_rung = 0.36;  ///< in units of the distance of steps
constexpr const char* published_colour = "published";

/// A series of the chart: a machine's steps, or published ones. A rung is a line from and to the
/// middle of its step.
struct RungSeries {
  std::string title;
  std::string colour;
  roofline::Tags tags = {};
  std::map<std::size_t, ChartLine> rungs = {};  ///< by step

  ChartLine& add(std::size_t step, double value, const std::string& text) {
    const ChartPoint at{static_cast<double>(step), value};
    ChartLine rung{{"rung", title, "", colour, tags}, {at, at}, 5};
    rung.label = text;
    rung.label_place = roofline::LabelPlace::beside;
    return rungs[step] = std::move(rung);
  }
};

/// Adds a series' rungs, and lines between them.
void add_rungs(Chart& chart, const RungSeries& series, double half) {
  const ChartPoint* before = nullptr;
  for (const auto& [step, middle] : series.rungs) {
    ChartLine rung = middle;
    const ChartPoint& at = middle.points.front();
    rung.name = chart.steps[step];
    rung.points = {{at.x - half, at.y}, {at.x + half, at.y}};
    if (before != nullptr)
      chart.lines.push_back({{"riser", series.title, rung.name, series.colour, series.tags},
                             {{before->x + half, before->y}, rung.points[0]}});
    chart.lines.push_back(std::move(rung));
    before = &at;
  }
}

/// Fills the chart with rungs above step names that may have several lines. The first series is on
/// top; its rungs are shorter, so that the ends of those below remain visible.
Chart with_rungs(Chart chart, const std::string& unit, const std::vector<RungSeries>& all,
                 const std::vector<std::string>& names) {
  roofline::Range range = roofline::empty_range;
  for (const RungSeries& series : all) {
    chart.key.push_back({series.title, series.colour, {}, false, "", series.tags});
    for (const auto& [step, rung] : series.rungs) range.hold(rung.points[0].y);
  }
  chart.description = "How fast each step is, beside what was published";
  chart.frame = {1200, 700, 118, 104, 20, 104};
  chart.x = roofline::category_axis(names);
  chart.y = roofline::log_axis("", unit, roofline::round_range(range.low / 1.5, range.high * 1.5));
  for (const std::string& one : names) chart.steps.push_back(one.substr(0, one.find('\n')));
  for (std::size_t i = all.size(); i-- > 0;) {
    const double above = static_cast<double>(all.size() - 1 - i) / static_cast<double>(all.size());
    add_rungs(chart, all[i], longest_half_rung * (1 - 0.5 * above));
  }
  finish(chart);
  return chart;
}

/// "v9" with the step's name below, broken at underscores. A step that exists only in a ladder is
/// split likewise: "sc20_5", "band", "groups".
std::string lines_of(const StudyRecord& study, const Result& result) {
  const std::string first = name_in_charts(study, result.variant);
  std::string below = result.step;
  if (below == result.variant) below.erase(0, first.size() + 1);
  std::ranges::replace(below, '_', '\n');
  return below.empty() ? first : first + "\n" + below;
}

RungSeries measured_series(const StudySeries& series, const std::vector<std::string>& variants) {
  RungSeries ladder{series.label(), roofline::series_colour(series.place), series.tags()};
  for (const ShownRow& row : series.rows) {
    const Result& result = *row.result;
    if (!result.timed()) continue;
    const Timing timing = result.timing();
    const double rate = terms_per_second(row.study(), result);
    const std::string time = with_prefix(timing.median, "s");
    const auto step = std::ranges::find(variants, result.variant) - variants.begin();
    ChartLine& rung = ladder.add(static_cast<std::size_t>(step), rate,
                                 result.trusted().disturbed ? time + ", disturbed" : time);
    rung.headline = full_name(result);
    rung.facts = {{"on", row.series_label()},
                  {"time", time},
                  {"95% of the median", fmt::format("{} to {}", with_prefix(timing.low, "s"),
                                                    with_prefix(timing.high, "s"))},
                  {kernel_of(row.study()).work + "/s", fmt::format("{:.3g}", rate)}};
    if (const auto gain = speedup(row.study(), result))
      rung.facts.push_back(
          {"speedup over " + baseline_of(row.study()), fmt::format("{:.2f}x", *gain)});
  }
  return ladder;
}

RungSeries published_series(const Published& known, const std::vector<std::string>& variants) {
  RungSeries series{known.title, published_colour};
  for (std::size_t i = 0; i < variants.size(); ++i)
    if (const PublishedStep* step = known.find(variants[i])) {
      ChartLine& rung = series.add(i, known.terms / step->seconds, with_prefix(step->seconds, "s"));
      rung.headline = variants[i] + ", published";
      rung.facts = {
          {"speedup over v1", fmt::format("{:.2f}x", known.speedup(variants[i]).value_or(0))}};
    }
  return series;
}

/// The speedups of a published ladder, as published or as measured.
RungSeries speedups_of(const LadderRun& run, StepNumbers LadderRow::*which,
                       const std::string& title, const std::string& colour) {
  RungSeries series{title, colour};
  for (std::size_t i = 0; i < run.rows.size(); ++i) {
    const LadderRow& row = run.rows[i];
    const std::optional<double> speedup = (row.*which).speedup;
    if (!speedup) continue;
    ChartLine& rung = series.add(i, *speedup, fmt::format("{:.2f}x", *speedup));
    rung.headline = fmt::format("{}: {}", row.step->label, row.step->change);
    rung.facts = {{title, ""}, {"variant", row.step->variant}};
    if ((row.*which).seconds)
      rung.facts.push_back({"time", with_prefix(*(row.*which).seconds, "s")});
  }
  return series;
}

// ---- Stalls -------------------------------------------------------------------------------------

/// The maximum number of parts; further reasons share one.
constexpr std::size_t most_parts = 9;
constexpr const char* others = "all others";

/// Stalls per issue by reason, positive. Issuing is not a stall, though the counters list it.
roofline::Metrics stalls_of(const ShownRow& row) {
  roofline::Metrics stalls;
  if (row.result->timed())
    for (const auto& [name, value] : row.metrics())
      if (name.starts_with("stall_") && name != "stall_selected" && value > 0) stalls[name] = value;
  return stalls;
}

std::string reason_label(std::string name) {
  if (name.starts_with("stall_")) name.erase(0, 6);
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

}  // namespace

std::optional<Chart> make_ladder(const ShownResults& shown) {
  const std::vector<StudySeries> all = shown.series();
  if (all.empty()) return std::nullopt;
  const StudyRecord& first = all.front().study();
  const Kernel& kernel = shown.kernel();
  std::vector<std::string> variants, names;
  for (const std::string& variant : shown.variants())
    if (const std::vector<ShownRow> rows = shown.timed(variant); !rows.empty()) {
      variants.push_back(variant);
      names.push_back(lines_of(first, *rows.front().result));
    }
  std::vector<RungSeries> series;
  for (const StudySeries& one : all) series.push_back(measured_series(one, variants));
  if (variants.empty()) return std::nullopt;
  if (kernel.published != nullptr && first.ladder.empty())  // a published ladder has its own chart
    series.push_back(published_series(kernel.published(), variants));
  std::erase_if(series, [](const RungSeries& one) { return one.rungs.empty(); });
  const auto& machines = shown.machines();
  const bool several = machines.front().named != machines.back().named;
  return with_rungs(
      {"ladder", fmt::format("{} step by step: {} per second", kernel.title, kernel.work),
       "labels: median times; " +
           (several ? "inputs differ from study to study" : input_and_date(first))},
      kernel.work + "/s", series, names);
}

std::optional<Chart> make_published_ladder(const NamedStudy& named, const std::string& name) {
  const PublishedLadder* ladder = ladder_of(named.study);
  if (ladder == nullptr) return std::nullopt;
  const std::vector<NamedStudy> alone = {named};
  const ShownResults shown(alone);
  const std::vector<LadderRun> runs = ladder_runs(named.study);
  std::vector<RungSeries> all;
  for (const StudySeries& series : shown.series())
    for (const LadderRun& run : runs)
      if (const Result& first = *series.rows.front().result;
          run.model == first.model && run.kind == first.kind)
        all.push_back(speedups_of(run, &LadderRow::measured, series.label(),
                                  roofline::series_colour(series.place)));
  std::erase_if(all, [](const RungSeries& one) { return one.rungs.empty(); });
  if (all.empty()) return std::nullopt;
  RungSeries published = speedups_of(runs.front(), &LadderRow::published,
                                     ladder->device + ", published", published_colour);
  if (!published.rungs.empty()) {
    published.add(0, 1, "1.00x");
    all.push_back(std::move(published));
  }
  std::vector<std::string> names;
  constexpr std::size_t narrow = 16;
  for (const auto& step : ladder->steps)
    names.push_back(step.label + "\n" + roofline::wrapped(step.change, narrow, 0));
  return with_rungs({roofline::file_stem(name),
                     fmt::format("{}: speedup over {}", ladder->title, ladder->steps.front().label),
                     input_and_date(named.study)},
                    "x", all, names);
}

std::optional<roofline::Chart> make_stalls(const StudySeries& series) {
  roofline::Chart chart{"stalls", "What the warps waited for", "",
                        "Warp stalls of each variant by reason"};
  std::map<std::string, double> totals;
  for (const ShownRow& row : series.rows)
    for (const auto& [name, value] : stalls_of(row)) totals[name] += value;
  if (totals.empty()) return std::nullopt;
  std::vector<std::string> names, reasons;  // the most frequent reasons first
  for (const auto& [name, value] : totals) reasons.push_back(name);
  std::ranges::stable_sort(reasons, std::greater(),
                           [&totals](const auto& name) { return totals[name]; });
  const roofline::Metric* metric = roofline::table_of("gpu").find_metric(reasons.front());
  std::map<std::string, std::size_t> part_of;
  for (std::size_t i = 0; i < reasons.size(); ++i) part_of[reasons[i]] = std::min(i, most_parts);
  if (reasons.size() > most_parts) {
    reasons.resize(most_parts);
    reasons.emplace_back(others);
  }
  double longest = 0;
  for (auto row = series.rows.rbegin(); row != series.rows.rend(); ++row) {  // the first is on top
    std::vector<double> parts(reasons.size());
    for (const auto& [name, value] : stalls_of(*row)) parts[part_of[name]] += value;
    const double sum = std::reduce(parts.begin(), parts.end()),
                 y = static_cast<double>(names.size());
    if (sum == 0) continue;
    names.push_back(full_name(*row->result));
    double left = 0;
    for (std::size_t i = 0; i < reasons.size(); ++i) {
      const std::string reason = reason_label(reasons[i]);
      roofline::ChartBox box{{"stall", reason, names.back(), roofline::part_colour(i)},
                             left,
                             y - 0.35,
                             left + parts[i],
                             y + 0.35};
      left += parts[i];
      if (parts[i] < 0.01 * sum) continue;  // it would not be seen
      box.headline = fmt::format("{}: {}", names.back(), reason);
      box.facts = {{"value", fmt::format("{:.3g}", parts[i])},
                   {"of all stalls", fmt::format("{:.3g}%", 100 * parts[i] / sum)}};
      chart.boxes.push_back(std::move(box));
    }
    longest = std::max(longest, sum);
  }
  for (std::size_t i = 0; i < reasons.size(); ++i)
    chart.key.push_back(
        {reason_label(reasons[i]), roofline::part_colour(i), roofline::Shape::square});
  chart.frame = {1200, 170 + 26.0 * static_cast<double>(names.size()), 220, 64, 30, 104};
  chart.x = {"stalls" + (metric == nullptr ? "" : ", " + metric->unit), "", false, 0,
             1.05 * longest};
  chart.y = roofline::category_axis(names);
  finish(chart);
  return chart;
}

}  // namespace gpp
