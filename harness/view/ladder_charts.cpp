#include "harness/view/ladder_charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/record/ladder.h"
#include "roofline/base/terminal.h"
#include "roofline/base/units.h"
#include "roofline/view/axes.h"
#include "roofline/view/chart_files.h"
#include "roofline/view/labels.h"
#include "roofline/view/style.h"
#include "roofline/view/svg.h"

namespace gpp {
namespace {

using roofline::Chart;
using roofline::ChartPoint;
using roofline::HoverFacts;
using roofline::with_prefix;

/// If there are more series than this, only the fastest one's rungs have labels.
constexpr std::size_t most_labelled = 3;
constexpr double longest_half_rung = 0.36;  ///< in units of the distance of steps
constexpr const char* published_colour = "published";

struct Rung {
  std::size_t position;  ///< index of the rung's step
  double value;          ///< height of the rung, positive
  std::string label;     ///< label beside the rung
  std::string headline = {};
  HoverFacts facts = {};
};

/// A line of the chart: a machine's steps, or published ones. Neighbouring steps are connected.
struct RungSeries {
  std::string title;
  std::string colour;
  roofline::Tags tags = {};
  std::vector<Rung> rungs = {};  ///< rungs sorted by step
  bool labelled = true;

  double highest() const {
    double value = 0;
    for (const Rung& rung : rungs) value = std::max(value, rung.value);
    return value;
  }
};

roofline::Range range_of(const std::vector<RungSeries>& all) {
  double lowest = INFINITY, highest = 0;
  for (const RungSeries& series : all)
    for (const Rung& rung : series.rungs) {
      lowest = std::min(lowest, rung.value);
      highest = std::max(highest, rung.value);
    }
  return roofline::round_range(lowest / 1.5, highest * 1.5);
}

/// Half the length of a series' rungs. Rungs on top are shorter, so that the ends of those below
/// remain visible.
double half_rung(std::size_t series, std::size_t count) {
  return longest_half_rung *
         (1 - 0.5 * static_cast<double>(count - 1 - series) / static_cast<double>(count));
}

/// Draws the first series on top. With `gaps_part`, rungs around a missing one are not connected.
void add_rungs(Chart& chart, const std::vector<RungSeries>& all,
               const std::vector<std::string>& steps, bool gaps_part) {
  std::vector<roofline::ChartLine> rungs;
  std::vector<roofline::NamesOfMarks> names;
  for (std::size_t i = all.size(); i-- > 0;) {
    const RungSeries& series = all[i];
    const double half = half_rung(i, all.size());
    roofline::NamesOfMarks own{{}, {}, series.colour, true, true, series.tags};
    for (const Rung& rung : series.rungs) {
      const double at = static_cast<double>(rung.position);
      rungs.push_back(roofline::plain_line({{at - half, rung.value}, {at + half, rung.value}},
                                           "rung", series.title, steps[rung.position],
                                           series.colour, 5, "", series.tags));
      rungs.back().headline = rung.headline;
      rungs.back().facts = rung.facts;
      own.names.push_back(rung.label);
      own.places.emplace_back(ChartPoint{at, rung.value});
      const Rung* before = &rung == &series.rungs.front() ? nullptr : &rung - 1;
      if (before == nullptr || (gaps_part && before->position + 1 != rung.position)) continue;
      const double from = static_cast<double>(before->position) + half;
      chart.lines.push_back(roofline::plain_line({{from, before->value}, {at - half, rung.value}},
                                                 "riser", series.title, steps[rung.position],
                                                 series.colour, 1.2, "", series.tags));
    }
    if (series.labelled) names.insert(names.begin(), std::move(own));
  }
  chart.lines.insert(chart.lines.end(), rungs.begin(), rungs.end());
  roofline::place_names(chart, {}, names);
}

/// The chart of these rungs, above step names that may have several lines.
Chart chart_of(const std::string& name, const std::string& title, const std::string& subtitle,
               const std::string& unit, const std::vector<RungSeries>& all,
               const std::vector<std::string>& names, bool gaps_part) {
  Chart chart;
  chart.name = roofline::file_stem(name);
  chart.title = title;
  chart.subtitle = subtitle;
  chart.description = "How fast each step is, beside what was published";
  for (const RungSeries& series : all)
    chart.key.push_back({series.title, series.colour, {}, false, "", "", series.tags});
  chart.frame = {1200, 700, 118, 104, 20, 104};
  chart.frame = roofline::with_room_for_key(chart);
  chart.x = roofline::category_axis(names);
  chart.y =
      roofline::log_axis("", unit, range_of(all), roofline::plot_of(chart.frame).height(), true);
  for (const std::string& one : names) chart.steps.push_back(one.substr(0, one.find('\n')));
  add_rungs(chart, all, chart.steps, gaps_part);
  return chart;
}

struct Name {
  std::string variant, step;
  bool operator==(const Name&) const = default;
};

/// The timed steps of all series in order.
std::vector<Name> step_names(const std::vector<StudySeries>& all) {
  std::vector<Name> names;
  bool on_ladder = false;
  for (const StudySeries& series : all) {
    on_ladder |= !series.study().ladder.empty();
    for (const ShownRow& row : series.rows)
      if (const Name name{row.result->variant, row.result->step};
          row.result->timed() && std::find(names.begin(), names.end(), name) == names.end())
        names.push_back(name);
  }
  const auto number = [](const Name& name) {
    const int found = number_of(name.variant);
    return found > 0 ? found : 10'000;
  };
  if (!on_ladder)
    std::stable_sort(names.begin(), names.end(),
                     [&number](const Name& a, const Name& b) { return number(a) < number(b); });
  return names;
}

/// "v9" with the step's name below, broken at underscores. A step that exists only in a ladder is
/// split likewise: "sc20_5", "band", "groups".
std::string lines_of(const StudyRecord& study, const Name& name) {
  const std::string first = name_in_charts(study, name.variant);
  std::string below = name.step;
  if (name.step == name.variant)
    below = name.variant.substr(std::min(first.size() + 1, name.variant.size()));
  std::replace(below.begin(), below.end(), '_', '\n');
  return below.empty() ? first : first + "\n" + below;
}

/// The rungs of each series and of published results.
class Ladder {
 public:
  explicit Ladder(const std::vector<StudySeries>& all) : all_(all), names_(step_names(all)) {}

  std::vector<RungSeries> series() const;
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const Name& name : names_) names.push_back(lines_of(all_.front().study(), name));
    return names;
  }

 private:
  const Published* published() const {
    const Kernel& kernel = kernel_of(all_.front().study());
    // A published ladder has its own chart.
    const bool known = kernel.published != nullptr && all_.front().study().ladder.empty();
    return known ? &kernel.published() : nullptr;
  }
  Rung rung_of(const ShownRow& row) const;
  RungSeries published_series() const;

  const std::vector<StudySeries>& all_;
  std::vector<Name> names_;
};

Rung Ladder::rung_of(const ShownRow& row) const {
  const StudyRecord& study = row.study();
  const Result& result = *row.result;
  const Timing timing = result.timing();
  const double rate = terms_per_second(study, result);
  const std::string time = with_prefix(timing.median, "s");
  const auto position = std::find(names_.begin(), names_.end(), Name{result.variant, result.step});
  HoverFacts facts = {{"on", row.series_label()},
                      {"time", time},
                      {"95% of the median", fmt::format("{} to {}", with_prefix(timing.low, "s"),
                                                        with_prefix(timing.high, "s"))},
                      {kernel_of(study).work + "/s", fmt::format("{:.3g}", rate)}};
  if (const auto gain = speedup(study, result))
    facts.push_back({"speedup over " + baseline_of(study), fmt::format("{:.2f}x", *gain)});
  if (const Published* known = published())
    if (const auto speedup = known->speedup(result.variant))
      facts.push_back({known->device + ", published", fmt::format("{:.2f}x", *speedup)});
  const bool disturbed = result.trusted().disturbed;
  if (disturbed) facts.emplace_back("disturbed", "others took part of the device meanwhile");
  return {static_cast<std::size_t>(position - names_.begin()), rate,
          disturbed ? time + ", disturbed" : time, full_name(result), facts};
}

RungSeries Ladder::published_series() const {
  const Published* known = published();
  if (known == nullptr) return {};
  RungSeries series{known->title, published_colour};
  for (std::size_t i = 0; i < names_.size(); ++i) {
    const PublishedStep* step = known->find(names_[i].variant);
    if (step == nullptr) continue;
    const double speedup = known->speedup(names_[i].variant).value_or(0);
    series.rungs.push_back({i,
                            known->terms / step->seconds,
                            with_prefix(step->seconds, "s"),
                            names_[i].variant,
                            {{"published", known->title},
                             {"time", with_prefix(step->seconds, "s")},
                             {"speedup over v1", fmt::format("{:.2f}x", speedup)}}});
  }
  return series;
}

/// The rungs, fastest series first, published ones last. A series of a single step is left out if
/// others are longer.
std::vector<RungSeries> Ladder::series() const {
  std::vector<RungSeries> ladders;
  for (const StudySeries& series : all_) {
    RungSeries ladder{series.label(), roofline::series_colour(series.place), series.tags()};
    for (const ShownRow& row : series.rows)
      if (row.result->timed()) ladder.rungs.push_back(rung_of(row));
    std::sort(ladder.rungs.begin(), ladder.rungs.end(),
              [](const Rung& one, const Rung& other) { return one.position < other.position; });
    if (!ladder.rungs.empty()) ladders.push_back(std::move(ladder));
  }
  if (std::any_of(ladders.begin(), ladders.end(),
                  [](const RungSeries& one) { return one.rungs.size() > 1; }))
    std::erase_if(ladders, [](const RungSeries& ladder) { return ladder.rungs.size() < 2; });
  std::stable_sort(ladders.begin(), ladders.end(),
                   [](const RungSeries& one, const RungSeries& other) {
                     return one.highest() > other.highest();
                   });
  for (std::size_t i = 0; i < ladders.size(); ++i)
    ladders[i].labelled = ladders.size() <= most_labelled || i == 0;
  if (ladders.empty()) return ladders;
  RungSeries known = published_series();
  if (!known.rungs.empty()) ladders.push_back(std::move(known));
  return ladders;
}

std::string subtitle_of(const ShownResults& shown) {
  const StudyRecord& first = shown.machines().front().named->study;
  if (shown.machines().front().named != shown.machines().back().named)
    return "labels: median times; inputs differ from study to study";
  return fmt::format("labels: median times; {}, {:.3e} {}; {}", input_name(first.input),
                     static_cast<double>(first.input.terms), kernel_of(first).work,
                     first.created.substr(0, 10));
}

// ---- Published ladders --------------------------------------------------------------------------

using Numbers = StepNumbers LadderRow::*;

/// The speedups of one ladder, published or measured.
RungSeries speedups_of(const LadderRun& run, Numbers which, const std::string& title,
                       const std::string& colour) {
  RungSeries series{title, colour};
  for (std::size_t i = 0; i < run.rows.size(); ++i) {
    const LadderRow& row = run.rows[i];
    const StepNumbers& numbers = row.*which;
    if (!numbers.speedup) continue;
    HoverFacts facts = {{title, ""}, {"variant", row.step->variant}};
    if (numbers.seconds) facts.push_back({"time", with_prefix(*numbers.seconds, "s")});
    if (numbers.gain) facts.push_back({"gain", fmt::format("{:.2f}x", *numbers.gain)});
    facts.push_back({"speedup over the first step", fmt::format("{:.2f}x", *numbers.speedup)});
    series.rungs.push_back({i, *numbers.speedup, fmt::format("{:.2f}x", *numbers.speedup),
                            fmt::format("{}: {}", row.step->label, row.step->change), facts});
  }
  return series;
}

/// Published rungs begin at the ladder's first step.
RungSeries published_rungs(const PublishedLadder& ladder, LadderRun run) {
  if (std::any_of(run.rows.begin(), run.rows.end(),
                  [](const LadderRow& row) { return row.published.speedup.has_value(); }))
    run.rows.front().published.speedup = 1;
  return speedups_of(run, &LadderRow::published, ladder.device + ", published", published_colour);
}

/// The step's label, with its change below it, or a note that no model has a number for it.
std::string lines_below(const std::vector<LadderRun>& runs, std::size_t step) {
  constexpr std::size_t narrow = 16;
  const LadderStep& first = *runs.front().rows[step].step;
  const bool none = std::none_of(runs.begin(), runs.end(), [step](const LadderRun& run) {
    return run.rows[step].measured.speedup.has_value();
  });
  return first.label + "\n" + (none ? "no number" : roofline::wrapped(first.change, narrow, 0));
}

/// The measured series first, on top; empty if nothing was measured.
std::vector<RungSeries> ladder_series(const NamedStudy& named, const PublishedLadder& ladder,
                                      const std::vector<LadderRun>& runs) {
  const std::vector<NamedStudy> alone = {named};
  const ShownResults shown(alone);
  std::vector<RungSeries> all;
  for (const StudySeries& series : shown.series())
    for (const LadderRun& run : runs) {
      const Result& first = *series.rows.front().result;
      if (run.model != first.model || run.kind != first.kind) continue;
      RungSeries measured = speedups_of(run, &LadderRow::measured, series.label(),
                                        roofline::series_colour(series.place));
      if (!measured.rungs.empty()) all.push_back(std::move(measured));
    }
  if (all.empty()) return all;
  if (RungSeries known = published_rungs(ladder, runs.front()); !known.rungs.empty())
    all.push_back(std::move(known));
  return all;
}

}  // namespace

std::optional<Chart> make_ladder(const ShownResults& shown) {
  const std::vector<StudySeries> all = shown.series();
  if (all.empty()) return std::nullopt;
  const Ladder ladder(all);
  const std::vector<RungSeries> series = ladder.series();
  if (series.empty()) return std::nullopt;
  const Kernel& kernel = shown.kernel();
  return chart_of("ladder",
                  fmt::format("{} step by step: {} per second", kernel.title, kernel.work),
                  subtitle_of(shown), kernel.work + "/s", series, ladder.names(), false);
}

std::optional<Chart> make_published_ladder(const NamedStudy& named, const std::string& name) {
  const StudyRecord& study = named.study;
  const PublishedLadder* ladder = ladder_of(study);
  if (ladder == nullptr) return std::nullopt;
  const std::vector<LadderRun> runs = ladder_runs(study);
  const std::vector<RungSeries> series = ladder_series(named, *ladder, runs);
  if (series.empty()) return std::nullopt;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < ladder->steps.size(); ++i) names.push_back(lines_below(runs, i));
  return chart_of(name,
                  fmt::format("{}: speedup over {}", ladder->title, ladder->steps.front().label),
                  fmt::format("{}, {:.3e} {}; {}", input_name(study.input),
                              static_cast<double>(study.input.terms), kernel_of(study).work,
                              study.created.substr(0, 10)),
                  "x", series, names, true);
}

}  // namespace gpp
