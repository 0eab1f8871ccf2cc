// Ladder charts: the speed of each step beside the published one.
#include <fmt/format.h>

#include <algorithm>

#include "harness/record/ladder.h"
#include "harness/view/study_charts.h"
#include "roofline/base/terminal.h"
#include "roofline/base/units.h"
#include "roofline/view/labels.h"
#include "roofline/view/style.h"

namespace gpp {
namespace {

using roofline::Chart;
using roofline::ChartLine;
using roofline::ChartPoint;
using roofline::with_prefix;

/// If there are more series than this, only the fastest one's rungs have labels.
constexpr std::size_t most_labelled = 3;
constexpr double longest_half_rung = 0.36;  ///< in units of the distance of steps
constexpr const char* published_colour = "published";

/// A series of the chart: a machine's steps, or published ones, in order. A rung is a line from and
/// to the middle of its step; neighbouring ones are connected.
struct RungSeries {
  std::string title;
  std::string colour;
  roofline::Tags tags = {};
  std::vector<ChartLine> rungs = {};
  bool labelled = true;

  ChartLine& add(std::size_t step, double value, const std::string& text) {
    const double at = static_cast<double>(step);
    ChartLine rung{{"rung", title, "", colour, tags}, {{at, value}, {at, value}}, 5};
    rung.label = text;
    rung.label_place = roofline::LabelPlace::beside;
    return rungs.emplace_back(std::move(rung));
  }
  double highest() const {
    double value = 0;
    for (const ChartLine& rung : rungs) value = std::max(value, rung.points[0].y);
    return value;
  }
};

/// Adds a series' rungs and their connections. With `gaps_part`, rungs around a missing one are not
/// connected.
void add_rungs(Chart& chart, const RungSeries& series, double half, bool gaps_part) {
  std::optional<ChartPoint> before;
  for (ChartLine rung : series.rungs) {
    const ChartPoint at = rung.points[0];
    rung.name = chart.steps[static_cast<std::size_t>(at.x)];
    if (!series.labelled) rung.label.clear();
    rung.points = {{at.x - half, at.y}, {at.x + half, at.y}};
    if (before && (!gaps_part || before->x + 1 == at.x))
      chart.lines.push_back({{"riser", series.title, rung.name, series.colour, series.tags},
                             {{before->x + half, before->y}, rung.points[0]}});
    chart.lines.push_back(std::move(rung));
    before = at;
  }
}

/// Fills the chart with rungs above step names that may have several lines. The first series is on
/// top; its rungs are shorter, so that the ends of those below remain visible.
Chart with_rungs(Chart chart, const std::string& unit, const std::vector<RungSeries>& all,
                 const std::vector<std::string>& names, bool gaps_part) {
  roofline::Range range = roofline::empty_range;
  for (const RungSeries& series : all) {
    chart.key.push_back({series.title, series.colour, {}, false, "", series.tags});
    for (const ChartLine& rung : series.rungs) range.hold(rung.points[0].y);
  }
  chart.description = "How fast each step is, beside what was published";
  chart.frame = {1200, 700, 118, 104, 20, 104};
  chart.x = roofline::category_axis(names);
  chart.y = roofline::log_axis("", unit, roofline::round_range(range.low / 1.5, range.high * 1.5));
  for (const std::string& one : names) chart.steps.push_back(one.substr(0, one.find('\n')));
  for (std::size_t i = all.size(); i-- > 0;) {
    const double above = static_cast<double>(all.size() - 1 - i) / static_cast<double>(all.size());
    add_rungs(chart, all[i], longest_half_rung * (1 - 0.5 * above), gaps_part);
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

void add_rung(RungSeries& series, const ShownRow& row, std::size_t position,
              const Published* published) {
  const StudyRecord& study = row.study();
  const Result& result = *row.result;
  const Timing timing = result.timing();
  const double rate = terms_per_second(study, result);
  const std::string time = with_prefix(timing.median, "s");
  const bool disturbed = result.trusted().disturbed;
  ChartLine& rung = series.add(position, rate, disturbed ? time + ", disturbed" : time);
  rung.headline = full_name(result);
  rung.facts = {{"on", row.series_label()},
                {"time", time},
                {"95% of the median", fmt::format("{} to {}", with_prefix(timing.low, "s"),
                                                  with_prefix(timing.high, "s"))},
                {kernel_of(study).work + "/s", fmt::format("{:.3g}", rate)}};
  if (const auto gain = speedup(study, result))
    rung.facts.push_back({"speedup over " + baseline_of(study), fmt::format("{:.2f}x", *gain)});
  if (published != nullptr)
    if (const auto speedup = published->speedup(result.variant))
      rung.facts.push_back({published->device + ", published", fmt::format("{:.2f}x", *speedup)});
  if (disturbed) rung.facts.push_back({"disturbed", "others took part of the device meanwhile"});
}

/// The measured rungs, fastest series first.
std::vector<RungSeries> measured_series(const std::vector<StudySeries>& all,
                                        const std::vector<std::string>& variants,
                                        const Published* published) {
  std::vector<RungSeries> ladders;
  for (const StudySeries& series : all) {
    RungSeries ladder{series.label(), roofline::series_colour(series.place), series.tags()};
    for (const ShownRow& row : series.rows) {
      const auto at = std::ranges::find(variants, row.result->variant) - variants.begin();
      if (row.result->timed()) add_rung(ladder, row, static_cast<std::size_t>(at), published);
    }
    std::ranges::sort(ladder.rungs, {}, [](const ChartLine& one) { return one.points[0].x; });
    if (!ladder.rungs.empty()) ladders.push_back(std::move(ladder));
  }
  std::ranges::stable_sort(ladders, std::greater(), &RungSeries::highest);
  for (std::size_t i = 1; i < ladders.size(); ++i)
    ladders[i].labelled = ladders.size() <= most_labelled;
  return ladders;
}

RungSeries published_series(const Published& known, const std::vector<std::string>& variants) {
  RungSeries series{known.title, published_colour};
  for (std::size_t i = 0; i < variants.size(); ++i) {
    const std::string& variant = variants[i];
    const PublishedStep* step = known.find(variant);
    if (step == nullptr) continue;
    ChartLine& rung = series.add(i, known.terms / step->seconds, with_prefix(step->seconds, "s"));
    rung.headline = variant;
    rung.facts = {{"published", known.title},
                  {"speedup over v1", fmt::format("{:.2f}x", known.speedup(variant).value_or(0))}};
  }
  return series;
}

// ---- Published ladders --------------------------------------------------------------------------

/// The speedups of one ladder, published or measured.
RungSeries speedups_of(const LadderRun& run, StepNumbers LadderRow::*which,
                       const std::string& title, const std::string& colour) {
  RungSeries series{title, colour};
  for (std::size_t i = 0; i < run.rows.size(); ++i) {
    const LadderRow& row = run.rows[i];
    const StepNumbers& numbers = row.*which;
    if (!numbers.speedup) continue;
    ChartLine& rung = series.add(i, *numbers.speedup, fmt::format("{:.2f}x", *numbers.speedup));
    rung.headline = fmt::format("{}: {}", row.step->label, row.step->change);
    rung.facts = {{title, ""}, {"variant", row.step->variant}};
    if (numbers.seconds) rung.facts.push_back({"time", with_prefix(*numbers.seconds, "s")});
    if (numbers.gain) rung.facts.push_back({"gain", fmt::format("{:.2f}x", *numbers.gain)});
  }
  return series;
}

/// The measured series first, on top; empty if nothing was measured. Published rungs begin at the
/// ladder's first step.
std::vector<RungSeries> ladder_series(const NamedStudy& named, const PublishedLadder& ladder,
                                      const std::vector<LadderRun>& runs) {
  const std::vector<NamedStudy> alone = {named};
  const ShownResults shown(alone);
  std::vector<RungSeries> all;
  for (const StudySeries& series : shown.series())
    for (const LadderRun& run : runs) {
      const Result& first = *series.rows.front().result;
      if (run.model != first.model || run.kind != first.kind) continue;
      all.push_back(speedups_of(run, &LadderRow::measured, series.label(),
                                roofline::series_colour(series.place)));
    }
  std::erase_if(all, [](const RungSeries& one) { return one.rungs.empty(); });
  if (all.empty()) return all;
  LadderRun published = runs.front();
  if (std::ranges::any_of(published.rows,
                          [](const LadderRow& row) { return bool(row.published.speedup); })) {
    published.rows.front().published.speedup = 1;
    all.push_back(speedups_of(published, &LadderRow::published, ladder.device + ", published",
                              published_colour));
  }
  return all;
}

}  // namespace

std::optional<Chart> make_ladder(const ShownResults& shown) {
  const std::vector<StudySeries> all = shown.series();
  if (all.empty()) return std::nullopt;
  const StudyRecord& first = all.front().study();
  const Kernel& kernel = shown.kernel();
  // A published ladder has its own chart.
  const Published* known =
      kernel.published != nullptr && first.ladder.empty() ? &kernel.published() : nullptr;
  std::vector<std::string> variants, names;
  for (const std::string& variant : shown.variants())
    if (const std::vector<ShownRow> rows = shown.timed(variant); !rows.empty()) {
      variants.push_back(variant);
      names.push_back(lines_of(first, *rows.front().result));
    }
  std::vector<RungSeries> series = measured_series(all, variants, known);
  if (series.empty()) return std::nullopt;
  if (known != nullptr) series.push_back(published_series(*known, variants));
  std::erase_if(series, [](const RungSeries& one) { return one.rungs.empty(); });
  const auto& machines = shown.machines();
  const bool several = machines.front().named != machines.back().named;
  return with_rungs(
      {"ladder", fmt::format("{} step by step: {} per second", kernel.title, kernel.work),
       "labels: median times; " +
           (several ? "inputs differ from study to study" : input_and_date(first))},
      kernel.work + "/s", series, names, false);
}

std::optional<Chart> make_published_ladder(const NamedStudy& named, const std::string& name) {
  const PublishedLadder* ladder = ladder_of(named.study);
  if (ladder == nullptr) return std::nullopt;
  const std::vector<LadderRun> runs = ladder_runs(named.study);
  const std::vector<RungSeries> series = ladder_series(named, *ladder, runs);
  if (series.empty()) return std::nullopt;
  std::vector<std::string> names;  // with the step's change, or that no model has a number for it
  for (std::size_t i = 0; i < ladder->steps.size(); ++i) {
    const bool measured = std::ranges::any_of(
        runs, [i](const LadderRun& run) { return bool(run.rows[i].measured.speedup); });
    constexpr std::size_t narrow = 16;
    names.push_back(
        ladder->steps[i].label + "\n" +
        (measured ? roofline::wrapped(ladder->steps[i].change, narrow, 0) : "no number"));
  }
  return with_rungs({roofline::file_stem(name),
                     fmt::format("{}: speedup over {}", ladder->title, ladder->steps.front().label),
                     input_and_date(named.study)},
                    "x", series, names, true);
}

}  // namespace gpp
