#include "harness/show/scaling_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "roofline/base/table.h"
#include "roofline/base/units.h"

namespace gpp {
namespace {

using roofline::Drawing;
using roofline::Table;
namespace colour = roofline::colour;
constexpr auto right = Table::Align::right;
constexpr std::size_t bar_length = 30;

std::string percent(double share) { return fmt::format("{:.1f}%", 100 * share); }

std::string counted(int count, const char* one, const char* several) {
  return fmt::format("{} {}", count, count == 1 ? one : several);
}

std::string headline(const ScalingRecord& scaling) {
  std::string text =
      fmt::format("{} in {}, {}; exchange: {}, blocks by {}",
                  counted(scaling.ranks, "rank", "ranks"), counted(scaling.pools, "pool", "pools"),
                  counted(scaling.states, "state", "states"), scaling.exchange, scaling.transport);
  if (!scaling.remark.empty()) text += fmt::format("\nNot by NCCL: {}", scaling.remark);
  text += scaling.sample.empty()
              ? "\nChecked over all bands and all G'."
              : fmt::format("\nChecked over all bands at {} drawn G' (from 1): {}",
                            scaling.sample.size(), fmt::join(scaling.sample, ", "));
  return text + "\n";
}

std::string ranks_table(const ScalingRecord& scaling) {
  Table table({{"rank", right},
               {"host", {}},
               {"device", {}},
               {"cores", right},
               {"G'", right},
               {"bands", right},
               {"memory", right},
               {"predicted", right},
               {"busy", right}});
  for (std::size_t i = 0; i < scaling.by_rank.size(); ++i) {
    const ScalingRank& rank = scaling.by_rank[i];
    table.add({std::to_string(i), rank.host, rank.device, std::to_string(rank.cores),
               std::to_string(rank.own_g), std::to_string(rank.bands),
               roofline::describe_bytes(rank.measured_bytes),
               roofline::describe_bytes(rank.predicted_bytes), percent(rank.busy)});
  }
  return table.text();
}

std::string steps_table(const ScalingRecord& scaling) {
  Table table({{"step", right},
               {"compute", right},
               {"transfer", right},
               {"wait", right},
               {"overlap", right}});
  for (std::size_t i = 0; i < scaling.steps.size(); ++i) {
    const ScalingStep& step = scaling.steps[i];
    const bool passes = step.transfer > 0;
    table.add({std::to_string(i + 1), roofline::describe_seconds(step.compute),
               passes ? roofline::describe_seconds(step.transfer) : "-",
               passes ? roofline::describe_seconds(step.wait) : "-",
               passes ? percent(step.overlap) : "-"});
  }
  return table.text();
}

std::string bar(double share) {
  std::string text(bar_length, '.');
  const double filled = static_cast<double>(bar_length) * std::clamp(share, 0.0, 1.0);
  std::fill_n(text.begin(), std::lround(filled), '#');
  return text;
}

/// One row a point. Bars show the efficiency: full ones are ideal.
std::string points_table(const std::vector<ScalingPoint>& points, bool strong) {
  Table table({{"ranks", right},
               {"states", right},
               {"time", right},
               {"+-", right},
               {strong ? "speedup" : "time over first", right},
               {"efficiency", right},
               {"waiting", right},
               {"", {}}});
  for (std::size_t i = 0; i < points.size(); ++i) {
    const ScalingPoint& point = points[i];
    const double efficiency = strong ? strong_efficiency(points, i) : weak_efficiency(points, i);
    const double gain = speedup_of(points, i);
    const bool several = point.samples.size() > 1;
    table.add({std::to_string(point.ranks), std::to_string(point.states),
               roofline::describe_seconds(point.seconds()),
               several ? percent(summarize(point.samples).spread()) : "-",
               fmt::format("{:.3f}", strong ? gain : 1 / gain), percent(efficiency),
               percent(point.wait), bar(efficiency)});
  }
  return table.text();
}

/// A line through the points and one through what would be ideal, on logarithmic axes.
Drawing draw_points(const StudyRecord& study, const std::string& name, const std::string& title,
                    const std::vector<ScalingPoint>& points, bool strong) {
  const roofline::Page page{1000, 700, {110, 100, 960, 610}};
  Drawing drawing{roofline::file_stem(name), title, "", "ranks,value,low,high,ideal\n"};
  const double first = points.front().seconds();
  const double ranks = points.front().ranks;
  for (const ScalingPoint& point : points) {
    const Timing timing = summarize(point.samples);
    const auto value = [&](double seconds) { return strong ? first / seconds : seconds / first; };
    drawing.table +=
        roofline::csv_line({std::to_string(point.ranks), roofline::in_full(value(timing.median)),
                            roofline::in_full(std::min(value(timing.low), value(timing.high))),
                            roofline::in_full(std::max(value(timing.low), value(timing.high))),
                            roofline::in_full(strong ? point.ranks / ranks : 1.0)});
  }
  const std::string subtitle =
      fmt::format("{}; {} {}; {}; blocks by {}; {}", study.input.path, study.results.front().model,
                  study.results.front().variant, study.results.front().device,
                  points.back().transport, study.created.substr(0, 10));
  drawing.script = roofline::script_head(
      drawing, page, subtitle,
      "A row a number of ranks: the median, the ends of its 95% interval, what would be ideal.");
  std::string tics;
  for (const ScalingPoint& point : points)
    tics += fmt::format("{}'{}' {}", tics.empty() ? "" : ", ", point.ranks, point.ranks);
  drawing.script +=
      fmt::format("set logscale x 2\nset xrange [{}:{}]\nset xtics ({})\nset xlabel 'ranks'\n",
                  0.9 * ranks, 1.1 * points.back().ranks, tics);
  drawing.script += strong ? "set logscale y 2\nset ylabel 'speedup'\n"
                           : "set yrange [0:*]\nset ylabel 'time over that of the first'\n";
  drawing.script += roofline::script_tail(
      drawing, page,
      {fmt::format("table using (column('ranks')):(column('ideal')) with lines dashtype 2 "
                   "linecolor rgb '{}' title 'ideal'",
                   colour::grey),
       fmt::format("table using (column('ranks')):(column('value')):(column('low')):"
                   "(column('high')) with yerrorbars pointtype 7 pointsize 1.2 linecolor rgb "
                   "'{}' title 'measured'",
                   colour::blue),
       fmt::format("table using (column('ranks')):(column('value')) with lines linewidth 2 "
                   "linecolor rgb '{}' notitle",
                   colour::blue)});
  return drawing;
}

}  // namespace

std::string scaling_text(const StudyRecord& study) {
  if (!study.scaling) return {};
  const ScalingRecord& scaling = *study.scaling;
  std::string text = fmt::format("{}\n{}", headline(scaling), ranks_table(scaling));
  if (!scaling.steps.empty()) text += fmt::format("\n{}", steps_table(scaling));
  if (scaling.strong.size() > 1)
    text += fmt::format("\nStrong scaling: the same work on more ranks.\n\n{}",
                        points_table(scaling.strong, true));
  if (scaling.weak.size() > 1)
    text += fmt::format("\nWeak scaling: a state more for every rank more.\n\n{}",
                        points_table(scaling.weak, false));
  return text;
}

std::optional<Drawing> draw_strong_scaling(const StudyRecord& study, const std::string& name) {
  if (!study.scaling || study.scaling->strong.size() < 2 || study.results.empty())
    return std::nullopt;
  return draw_points(study, name, "Strong scaling: speedup over ranks", study.scaling->strong,
                     true);
}

std::optional<Drawing> draw_weak_scaling(const StudyRecord& study, const std::string& name) {
  if (!study.scaling || study.scaling->weak.size() < 2 || study.results.empty())
    return std::nullopt;
  return draw_points(study, name, "Weak scaling: time over ranks", study.scaling->weak, false);
}

}  // namespace gpp
