#include "roofline/view/labels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "roofline/view/style.h"

namespace roofline {
namespace {

/// A label farther from its mark than this gets a leader line.
constexpr double far = 12;
/// Marks of one level within this distance share a label.
constexpr double one_place = 11;
constexpr double letter = label_font_size;

Box around(const Place& at, double across, double up) {
  return {at.x - across, at.y - up, at.x + across, at.y + up};
}

bool overlap(const Box& one, const Box& other) {
  return one.left < other.right && other.left < one.right && one.bottom < other.top &&
         other.bottom < one.top;
}

/// What a label names: marks at one place, or a thick line.
struct Target {
  const ChartItem* item;
  ChartPoint at;
  std::vector<std::string> steps;  ///< the steps that it names, if it names steps
};

class LabelPlacer {
 public:
  explicit LabelPlacer(Chart& chart) : chart_(chart), axes_(chart, plot_of(chart.frame)) {}

  void place() {
    for (const ChartMark& mark : chart_.marks)
      taken_.push_back(around(at(mark.at), mark_radius, mark_radius));
    for (const ChartLine& line : chart_.lines)
      if (line.label_place == LabelPlace::beside)  // a rung
        taken_.push_back({at(line.points.front()).x, at(line.points.front()).y - 3,
                          at(line.points.back()).x, at(line.points.back()).y + 3});
    for (const ChartLine& line : chart_.lines)
      if (!line.label.empty() && line.label_place == LabelPlace::along) label_along(line);
    for (const Target& target : targets()) label_beside(target);
  }

 private:
  Place at(const ChartPoint& point) const { return {axes_.x(point.x), axes_.y(point.y)}; }

  /// Inside of the plot, on no mark, rung or other label. Other lines may be covered.
  bool is_free(const Box& box) const {
    const Box& plot = axes_.plot;
    return box.left >= plot.left && box.right <= plot.right && box.bottom >= plot.bottom &&
           box.top <= plot.top &&
           std::ranges::none_of(taken_, [&box](const Box& one) { return overlap(box, one); });
  }

  /// Places a label below or right of a line's last part, where it is free: of a rising line near
  /// its start, of a flat one near its end, where fewer lines cross.
  void label_along(const ChartLine& line) {
    const ChartPoint& anchor = line.points[line.points.size() - 2];
    const Place from = at(anchor), to = at(line.points.back());
    const double width = text_width(line.label, letter);
    const double length = std::hypot(to.x - from.x, to.y - from.y);
    if (!(length > 0)) return;
    const double first = std::min(width / 2 + 6, length - width / 2);
    const double room = std::max(length - width - 12, 0.0);
    const Place unit{(to.x - from.x) / length, (to.y - from.y) / length};
    Place middle;
    std::vector<Box> letters;
    for (int i = 0; i <= 100; ++i) {
      const double share = i % 100 / 100.0;
      const double way = first + room * (unit.y == 0 ? 1 - share : share);
      middle = {unit.x * way + unit.y * letter, unit.y * way - unit.x * letter};
      letters.clear();
      for (double part = -width / 2; part <= width / 2; part += letter)
        letters.push_back(
            around({from.x + middle.x + part * unit.x, from.y + middle.y + part * unit.y},
                   letter / 2, letter / 2));
      if (std::ranges::all_of(letters, [this](const Box& box) { return is_free(box); })) break;
    }
    taken_.insert(taken_.end(), letters.begin(), letters.end());
    chart_.labels.push_back({line.label, anchor, middle.x, middle.y, line.colour, line.tags,
                             std::atan2(unit.y, unit.x) * 180 / std::numbers::pi});
  }

  std::vector<Target> targets() const {
    std::vector<Target> list;
    for (auto line = chart_.lines.rbegin(); line != chart_.lines.rend(); ++line)  // top one first
      if (!line->label.empty() && line->label_place == LabelPlace::beside)
        list.push_back(
            {&*line, {(line->points[0].x + line->points[1].x) / 2, line->points[0].y}, {}});
    for (const ChartMark& mark : chart_.marks) {
      if (mark.label.empty()) continue;
      const bool is_step = std::ranges::find(chart_.steps, mark.label) != chart_.steps.end();
      const auto near = std::ranges::find_if(list, [&](const Target& one) {
        const Place here = at(mark.at), there = at(one.at);
        return is_step && !one.steps.empty() && one.item->of == mark.of &&
               std::hypot(here.x - there.x, here.y - there.y) < one_place;
      });
      Target& target = near == list.end() ? list.emplace_back(&mark, mark.at) : *near;
      if (is_step) target.steps.push_back(mark.label);
    }
    return list;
  }

  /// Takes the nearest free place, rather above; without one the tooltip alone names the target.
  void label_beside(const Target& target) {
    static constexpr std::array right = {0., 0., 1., -1., 1., -1., 1., -1., .5, -.5, .5, -.5};
    static constexpr std::array up = {1., -1., 0., 0., 1., 1., -1., -1., 1., 1., -1., -1.};
    const std::string text =
        target.steps.empty() ? target.item->label : label_range(chart_.steps, target.steps);
    const Place from = at(target.at);
    const double half = text_width(text, letter) / 2, above = letter / 2 + 1;
    for (const double distance : {3.0, 12.0, 22.0, 34.0, 48.0, 64.0, 90.0})
      for (std::size_t i = 0; i < right.size(); ++i) {
        const Place way{right[i] * (mark_radius + 1 + half + distance),
                        up[i] * (mark_radius + 1 + above + distance)};
        const Box box = around({from.x + way.x, from.y + way.y}, half, above);
        if (!is_free(box)) continue;
        taken_.push_back(box);
        chart_.labels.push_back({text, target.at, way.x, way.y, target.item->colour,
                                 target.item->tags, 0, distance > far});
        return;
      }
  }

  Chart& chart_;
  Axes axes_;
  std::vector<Box> taken_;  ///< by marks, rungs and labels
};

}  // namespace

std::string label_range(const std::vector<std::string>& all, const std::vector<std::string>& names,
                        const std::string& dash) {
  std::string text;
  for (std::size_t first = 0, last = 0; first < names.size(); first = last + 1) {
    const auto at = std::ranges::find(all, names[first]);
    const std::vector<std::string> follow(at, all.end());
    last = first;
    while (last + 1 < names.size() && last + 1 - first < follow.size() &&
           follow[last + 1 - first] == names[last + 1])
      ++last;
    if (last == first + 1) last = first;  // two in sequence are named separately
    text += (text.empty() ? "" : " ") + names[first];
    if (last > first) text += dash + names[last];
  }
  return text;
}

std::vector<KeyPlace> key_places(const Chart& chart) {
  std::vector<KeyPlace> places;
  double x = chart.frame.left;
  int row = 0;
  for (const ChartKey& entry : chart.key) {
    const double width = sample_width(entry) + 5 + text_width(entry.text, key_font_size);
    if (x > chart.frame.left && x + width > chart.frame.width - 10) {
      x = chart.frame.left;
      ++row;
    }
    places.push_back({x, row});
    x += width + 18;
  }
  return places;
}

void finish(Chart& chart) {
  if (!chart.key.empty()) chart.frame.top += key_row_height * key_places(chart).back().row;
  const Box plot = plot_of(chart.frame);
  fill_ticks(chart.x, plot.width(), false);
  fill_ticks(chart.y, plot.height(), true);
  LabelPlacer(chart).place();
}

}  // namespace roofline
