#include "harness/view/trajectory_charts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>

#include "harness/record/derive.h"
#include "roofline/base/units.h"
#include "roofline/view/labels.h"
#include "roofline/view/roofline_chart.h"
#include "roofline/view/style.h"

namespace gpp {
namespace {

using roofline::Chart;
using roofline::ChartMark;
using roofline::with_prefix;

/// False for L1 and shared memory, which each unit has for itself, so all lines go straight up.
bool is_shared_by_units(const std::string& level) { return level != "l1" && level != "shared"; }

/// The highest rate of work, and bytes or transactions, per second on a number of units.
struct PartRoof {
  double peak = 0, bandwidth = 0;
  double ridge() const { return peak / bandwidth; }
};

/// What one chart shows: one kind of work at one level of memory.
struct View {
  const Trajectory& trajectory;
  const roofline::Model& model;
  const roofline::Level& level;
  std::string label, units;  ///< of the level, and of the parts of the device

  std::string rate(double value) const { return with_prefix(value, model.rate_unit()); }
};

/// The roofs for each number of units, from the first size that has them.
std::map<int, PartRoof> roofs_of(const View& view) {
  std::map<int, PartRoof> roofs;
  for (const TrajectoryPoint& point : view.trajectory.points) {
    const auto* ceilings = ceilings_of_kind(point.study, view.trajectory.kind);
    if (ceilings == nullptr) continue;
    const roofline::Ceiling* peak = ceilings->find(view.model.peak);
    const std::optional<double> bandwidth = roofline::bandwidth_of(*ceilings, view.level);
    if (peak != nullptr && peak->measured > 0 && bandwidth)
      roofs.try_emplace(point.units, PartRoof{peak->measured, *bandwidth});
  }
  return roofs;
}

/// A line's marks at the level, hollow where hardware did not count both work and bytes on so many
/// units. The last has the line's label, the first its number of units.
std::vector<ChartMark> marks_of(const View& view, const TrajectoryLine& line,
                                const std::string& label, const std::string& colour) {
  std::vector<ChartMark> marks;
  for (const TrajectoryStop& stop : line.stops) {
    const StopLevel* found = stop.find(view.level.name);
    if (found == nullptr || !(stop.rate > 0)) continue;
    const std::string units = std::to_string(stop.units);
    ChartMark mark{{"point", label, units, colour, {{"curve", label}}},
                   {found->intensity, stop.rate}};
    mark.source = found->counted ? "counted" : "not counted";
    mark.hollow = !found->counted;
    mark.headline = fmt::format("{}, {} {}", label, units, view.units);
    mark.facts = {{"rate", view.rate(stop.rate)},
                  {"intensity at " + view.label,
                   fmt::format("{:.3g} {}", found->intensity, intensity_unit(view.model))},
                  {"bytes", mark.source + " on so many"}};
    marks.push_back(std::move(mark));
  }
  if (marks.empty()) return marks;
  marks.front().label = marks.front().name;
  marks.back().label = label + ": " + marks.back().name;
  return marks;
}

/// Adds a curve and its entry in the key. Sizes of one variant differ in their dashes.
void add_curve(Chart& chart, const View& view, const TrajectoryLine& line,
               std::vector<std::string>& variants) {
  static constexpr std::array dashes = {"", "dash", "dot", "dashdot"};
  const std::vector<std::string>& sizes = view.trajectory.sizes;
  const std::string label = line.label(sizes.size() > 1), variant = line.model + " " + line.variant;
  const bool same = line.work == view.model.name;
  if (!same || !reaches(line, view.level.name)) {
    chart.notes.push_back(label + (same ? " moves next to nothing there" : " does other work"));
    return;
  }
  const auto known = std::ranges::find(variants, variant);
  const std::string colour =
      roofline::series_colour(static_cast<std::size_t>(known - variants.begin()));
  if (known == variants.end()) variants.push_back(variant);
  const auto size = static_cast<std::size_t>(std::ranges::find(sizes, line.size) - sizes.begin());
  const char* dash = dashes[size % dashes.size()];
  const std::vector<ChartMark> marks = marks_of(view, line, label, colour);
  if (!marks.empty()) chart.key.push_back({label, colour, {}, false, dash});
  for (std::size_t i = 1; i < marks.size(); ++i)
    chart.lines.push_back({{"line", label, marks[i].name, colour, marks[i].tags},
                           {marks[i - 1].at, marks[i].at},
                           2,
                           dash});
  chart.marks.insert(chart.marks.end(), marks.begin(), marks.end());
}

/// Draws a roof up to the ridge and on to the right border, where its values are written.
void add_roof(Chart& chart, const View& view, const std::string& units, const PartRoof& roof,
              bool widest) {
  const double left = std::max(chart.x.low, chart.y.low / roof.bandwidth);
  const std::string bandwidth =
      with_prefix(roof.bandwidth, view.model.counts_transactions() ? "txn/s" : "B/s");
  roofline::ChartLine line{{"roof", units, view.units, widest ? "ink" : "roof-soft"}};
  line.points = {{chart.x.low, roof.peak}};
  if (left < roof.ridge()) line.points = {{left, left * roof.bandwidth}, {roof.ridge(), roof.peak}};
  if (roof.ridge() < chart.x.high) line.points.push_back({chart.x.high, roof.peak});
  line.width = widest ? 2.4 : 1.2;
  line.headline = fmt::format("roof of {} {}", units, view.units);
  line.facts = {{"peak", view.rate(roof.peak)}, {view.label, bandwidth}};
  line.label = fmt::format("{}: {}, {}", units, view.rate(roof.peak), bandwidth);
  if (line.points.size() > 1) chart.lines.push_back(std::move(line));
}

std::optional<Chart> chart_of(const View& view) {
  const Trajectory& trajectory = view.trajectory;
  const std::string what = fmt::format("at {} over {}", view.label, view.units);
  Chart chart{"trajectory", fmt::format("Trajectories {}: {}", what, trajectory.device),
              fmt::format("{}; {}; {}", trajectory.kernel, fmt::join(trajectory.sizes, ", "),
                          trajectory.created.substr(0, 10)),
              "Scaling trajectories " + what};
  chart.frame = {1200, 800, 118, 84, 50, 108};
  std::vector<std::string> variants;
  for (const TrajectoryLine& line : lines_of(trajectory)) add_curve(chart, view, line, variants);
  const std::map<int, PartRoof> roofs = roofs_of(view);
  if (chart.marks.empty() || roofs.empty()) return std::nullopt;
  roofline::Range across = roofline::empty_range, up = across;
  for (const ChartMark& mark : chart.marks) {
    across.hold(mark.at.x);
    up.hold(mark.at.y);
  }
  for (const auto& [units, roof] : roofs) {
    across.hold(roof.ridge());
    across.hold(roof.ridge() / 2);
    up.hold(roof.peak);
  }
  const std::string unit = intensity_unit(view.model);
  chart.x = roofline::log_axis(fmt::format("intensity at {}: {}", view.label, unit), unit,
                               roofline::decades(across.low / 1.5, across.high * 1.5));
  chart.y = roofline::log_axis("", view.model.rate_unit(),
                               roofline::round_range(up.low / 2.5, up.high * 1.3));
  for (const auto& [units, roof] : roofs)
    add_roof(chart, view, std::to_string(units), roof, units == roofs.rbegin()->first);
  for (const bool hollow : {false, true})
    if (std::ranges::find(chart.marks, hollow, &ChartMark::hollow) != chart.marks.end())
      chart.key.push_back({hollow ? "intensity not counted there" : "counted by hardware",
                           "ink-soft", roofline::Shape::circle, hollow});
  chart.key.push_back({"roofs, measured on each number", "roof-soft"});
  finish(chart);
  return chart;
}

}  // namespace

bool reaches(const TrajectoryLine& line, const std::string& level) {
  return std::ranges::any_of(line.stops, [&level](const TrajectoryStop& stop) {
    const StopLevel* found = stop.find(level);
    return found != nullptr && found->share && *found->share >= least_share_of_level;
  });
}

std::string shown_level(const TrajectoryLine& line) {
  const std::vector<std::string> levels = levels_of(line);
  const auto farthest = std::find_if(levels.rbegin(), levels.rend(),
                                     [&line](const auto& one) { return reaches(line, one); });
  if (farthest != levels.rend()) return *farthest;
  return levels.empty() ? "" : levels.back();
}

std::optional<Chart> trajectory_chart(const Trajectory& trajectory) {
  std::map<std::pair<std::string, std::string>, int> reached;  // number of lines by work and level
  for (const TrajectoryLine& line : lines_of(trajectory))
    for (const std::string& level : levels_of(line))
      if (is_shared_by_units(level) && reaches(line, level)) ++reached[{line.work, level}];
  const auto most = std::ranges::max_element(reached, [](const auto& one, const auto& other) {
    if (one.second != other.second) return one.second < other.second;
    return roofline::is_nearer(one.first.second, other.first.second);
  });
  if (most == reached.end()) return std::nullopt;
  const auto& [work, name] = most->first;
  const roofline::Model* model = roofline::table_of(trajectory.kind).find_model(work);
  const roofline::Level* level = model == nullptr ? nullptr : model->find_level(name);
  if (level == nullptr) return std::nullopt;
  return chart_of({trajectory, *model, *level, roofline::level_label(trajectory.kind, name),
                   units_name(trajectory.kind)});
}

}  // namespace gpp
