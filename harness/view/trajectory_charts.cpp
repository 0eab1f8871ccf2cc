#include "harness/view/trajectory_charts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "harness/record/derive.h"
#include "roofline/base/units.h"
#include "roofline/view/axes.h"
#include "roofline/view/labels.h"
#include "roofline/view/roofline_chart.h"
#include "roofline/view/style.h"
#include "roofline/view/svg.h"

namespace gpp {
namespace {

using roofline::Chart;
using roofline::ChartPoint;
using roofline::Range;
using roofline::with_prefix;

/// False for L1 and shared memory, which each unit has for itself, so all lines go straight up.
bool is_shared_by_units(const std::string& level) { return level != "l1" && level != "shared"; }

/// The place of a value in the list, which gets it if it is new.
template <class Value>
std::size_t place_in(std::vector<Value>& list, const Value& value) {
  const auto found = std::ranges::find(list, value);
  const auto place = static_cast<std::size_t>(found - list.begin());
  if (found == list.end()) list.push_back(value);
  return place;
}

/// The highest rate of work, and bytes or transactions, per second on a number of units.
struct PartRoof {
  double peak = 0, bandwidth = 0;
};

/// The roofs for each number of units, from the first size that has them.
std::map<int, PartRoof> roofs_of(const Trajectory& trajectory, const roofline::Model& model,
                                 const roofline::Level& level) {
  std::map<int, PartRoof> roofs;
  for (const TrajectoryPoint& point : trajectory.points) {
    const roofline::Ceilings* ceilings = ceilings_of_kind(point.study, trajectory.kind);
    if (ceilings == nullptr) continue;
    const roofline::Ceiling* peak = ceilings->find(model.peak);
    const std::optional<double> bandwidth = roofline::bandwidth_of(*ceilings, level);
    if (peak != nullptr && peak->measured > 0 && bandwidth)
      roofs.try_emplace(point.units, PartRoof{peak->measured, *bandwidth});
  }
  return roofs;
}

/// A stop of a line at the chart's level. Its mark is hollow if hardware did not count both work
/// and bytes on so many units.
struct Mark {
  int units;
  ChartPoint at;
  bool counted;
};

struct Curve {
  std::string label, colour;
  const char* dash;  ///< curves of one variant have the same colour and different dashes
  std::vector<Mark> marks;
};

class TrajectoryMaker {
 public:
  TrajectoryMaker(const Trajectory& trajectory, const roofline::Model& model,
                  const roofline::Level& level)
      : trajectory_(trajectory),
        model_(model),
        level_(level.name),
        label_(roofline::level_label(trajectory.kind, level.name)),
        units_(units_name(trajectory.kind)),
        roofs_(roofs_of(trajectory, model, level)) {
    for (const TrajectoryLine& line : lines_of(trajectory)) add_curve(line);
  }

  std::optional<Chart> chart();

 private:
  void add_curve(const TrajectoryLine& line);
  void choose_axes(Chart& chart) const;
  std::vector<roofline::ChartKey> key() const;
  void draw(Chart& chart, int units, const PartRoof& roof);
  void draw(Chart& chart, const Curve& curve);

  const Trajectory& trajectory_;
  const roofline::Model& model_;
  std::string level_, label_, units_;
  std::map<int, PartRoof> roofs_;  ///< by number of units
  std::vector<Curve> curves_;
  std::vector<std::string> variants_, notes_;
  std::vector<roofline::NameOfLine> lines_;
  std::vector<roofline::NamesOfMarks> names_;
};

void TrajectoryMaker::add_curve(const TrajectoryLine& line) {
  static constexpr std::array dashes = {"", "dash", "dot", "dashdot"};
  const std::string label = line.label(trajectory_.sizes.size() > 1);
  if (line.work != model_.name) {
    notes_.push_back(label + " does other work");
    return;
  }
  const std::size_t colour = place_in(variants_, line.model + " " + line.variant);
  if (!reaches(line, level_)) {
    notes_.push_back(label + " moves next to nothing there");
    return;
  }
  const auto size = std::ranges::find(trajectory_.sizes, line.size) - trajectory_.sizes.begin();
  Curve curve{label,
              roofline::series_colour(colour),
              dashes[static_cast<std::size_t>(size) % dashes.size()],
              {}};
  for (const TrajectoryStop& stop : line.stops)
    if (const StopLevel* found = stop.find(level_); found != nullptr && stop.rate > 0)
      curve.marks.push_back({stop.units, {found->intensity, stop.rate}, found->counted});
  if (!curve.marks.empty()) curves_.push_back(std::move(curve));
}

void TrajectoryMaker::choose_axes(Chart& chart) const {
  Range across{INFINITY, 0}, up = across;
  const auto take = [](Range& range, double value) {
    range = {std::min(range.low, value), std::max(range.high, value)};
  };
  for (const Curve& curve : curves_)
    for (const Mark& mark : curve.marks) {
      take(across, mark.at.x);
      take(up, mark.at.y);
    }
  for (const auto& [units, roof] : roofs_) {
    const double ridge = roof.peak / roof.bandwidth;
    take(across, ridge);
    take(across, ridge / 2);
    take(up, roof.peak);
  }
  const roofline::Box plot = roofline::plot_of(chart.frame);
  const std::string unit = roofline::intensity_unit(model_);
  chart.x =
      roofline::log_axis(fmt::format("intensity at {}: {}", label_, unit), unit,
                         roofline::decades(across.low / 1.5, across.high * 1.5), plot.width());
  chart.y =
      roofline::log_axis("", model_.rate_unit(), roofline::round_range(up.low / 2.5, up.high * 1.3),
                         plot.height(), true);
}

std::vector<roofline::ChartKey> TrajectoryMaker::key() const {
  std::vector<roofline::ChartKey> key;
  bool counted = false, hollow = false;
  for (const Curve& curve : curves_) {
    key.push_back({curve.label, curve.colour, {}, false, curve.dash});
    for (const Mark& mark : curve.marks) (mark.counted ? counted : hollow) = true;
  }
  if (counted) key.push_back({"counted by hardware", "ink-soft", roofline::Shape::circle});
  if (hollow)
    key.push_back({"intensity not counted there", "ink-soft", roofline::Shape::circle, true});
  key.push_back({"roofs, measured on each number", "roof-soft"});
  return key;
}

/// Draws a roof up to the ridge and on to the right border, where its values are written.
void TrajectoryMaker::draw(Chart& chart, int units, const PartRoof& roof) {
  const bool widest = units == roofs_.rbegin()->first;
  const double ridge = roof.peak / roof.bandwidth;
  const double left = std::max(chart.x.low, chart.y.low / roof.bandwidth);
  std::vector<ChartPoint> points = {{chart.x.low, roof.peak}};
  if (left < ridge) points = {{left, left * roof.bandwidth}, {ridge, roof.peak}};
  if (ridge < chart.x.high) points.push_back({chart.x.high, roof.peak});
  if (points.size() < 2) return;
  const std::string peak = with_prefix(roof.peak, model_.rate_unit());
  const std::string bandwidth =
      with_prefix(roof.bandwidth, model_.counts_transactions() ? "txn/s" : "B/s");
  chart.lines.push_back(roofline::plain_line(points, "roof", std::to_string(units), units_,
                                             widest ? "ink" : "roof-soft", widest ? 2.4 : 1.2));
  chart.lines.back().headline = fmt::format("roof of {} {}", units, units_);
  chart.lines.back().facts = {{"peak", peak}, {label_, bandwidth}};
  lines_.push_back({fmt::format("{}: {}, {}", units, peak, bandwidth), ChartPoint{ridge, roof.peak},
                    ChartPoint{chart.x.high, roof.peak}, "ink-soft", -15, true, true});
}

/// Each curve has its name at its end, and numbers of units at its first and last marks.
void TrajectoryMaker::draw(Chart& chart, const Curve& curve) {
  const roofline::Tags tags = {{"curve", curve.label}};
  const Mark* before = nullptr;
  for (const Mark& one : curve.marks) {
    if (before != nullptr)
      chart.lines.push_back(roofline::plain_line({before->at, one.at}, "line", curve.label,
                                                 std::to_string(one.units), curve.colour, 2,
                                                 curve.dash, tags));
    before = &one;
    roofline::ChartMark mark;
    mark.at = one.at;
    mark.item = "point";
    mark.of = curve.label;
    mark.source = one.counted ? "counted" : "not counted";
    mark.hollow = !one.counted;
    mark.colour = curve.colour;
    mark.name = std::to_string(one.units);
    mark.headline = fmt::format("{}, {} {}", curve.label, one.units, units_);
    mark.facts = {{"rate", with_prefix(one.at.y, model_.rate_unit())},
                  {"intensity at " + label_,
                   fmt::format("{:.3g} {}", one.at.x, roofline::intensity_unit(model_))},
                  {"bytes", mark.source + " on so many"}};
    mark.tags = tags;
    chart.marks.push_back(std::move(mark));
  }
  const Mark &first = curve.marks.front(), &last = curve.marks.back();
  names_.push_back({{fmt::format("{}: {}", curve.label, last.units)},
                    {last.at},
                    curve.colour,
                    true,
                    true,
                    tags});
  if (curve.marks.size() == 1) return;
  names_.back().names.push_back(std::to_string(first.units));
  names_.back().places.emplace_back(first.at);
}

std::optional<Chart> TrajectoryMaker::chart() {
  if (curves_.empty() || roofs_.empty()) return std::nullopt;
  Chart chart;
  chart.name = "trajectory";
  chart.title = fmt::format("Trajectories at {} over {}: {}", label_, units_, trajectory_.device);
  chart.subtitle = fmt::format("{}; {}; {}", trajectory_.kernel, fmt::join(trajectory_.sizes, ", "),
                               trajectory_.created.substr(0, 10));
  chart.description = fmt::format("Scaling trajectories at {} over {}", label_, units_);
  chart.key = key();
  chart.frame = {1200, 800, 118, 84, 254, 108};
  chart.frame = roofline::with_room_for_key(chart);
  choose_axes(chart);
  chart.notes = notes_;
  for (const auto& [units, roof] : roofs_) draw(chart, units, roof);
  for (const Curve& curve : curves_) draw(chart, curve);
  roofline::place_names(chart, lines_, names_);
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
  return TrajectoryMaker(trajectory, *model, *level).chart();
}

}  // namespace gpp
