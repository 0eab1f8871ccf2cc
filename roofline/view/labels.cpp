#include "roofline/view/labels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "roofline/view/style.h"

namespace roofline {
namespace {

/// Costs of covering: a label may cover lines rather than be far away, but hardly marks, and other
/// labels only where there is no other place.
constexpr double cost_of_a_line = 4, cost_of_a_mark = 30, cost_of_a_label = 60, cost_of_edge = 500;
/// Lines at least this thick are content of the chart, not leaders.
constexpr double thick = 4;
/// A label farther from its mark than this gets a leader line.
constexpr double nearby = 14;
/// Marks of one level within this distance share a label.
constexpr double one_place = 11;
constexpr double letter = label_font_size;

/// The covered share of the smaller of two boxes, 0 to 1.
double covered(const Box& one, const Box& other) {
  const double across = std::min(one.right, other.right) - std::max(one.left, other.left);
  const double up = std::min(one.top, other.top) - std::max(one.bottom, other.bottom);
  if (across <= 0 || up <= 0) return 0;
  return across * up / std::min(one.width() * one.height(), other.width() * other.height());
}

Box around(const Place& at, double across, double up) {
  return {at.x - across, at.y - up, at.x + across, at.y + up};
}

Place middle(const Box& box) { return {(box.left + box.right) / 2, (box.bottom + box.top) / 2}; }

/// Small boxes along a line; none for a line longer than any page.
std::vector<Box> along(const Place& from, const Place& to, double size = 5) {
  const double length = std::hypot(to.x - from.x, to.y - from.y), longest = 1e5;
  if (!(length <= longest)) return {};
  const int count = 1 + static_cast<int>(length / size);
  std::vector<Box> boxes;
  for (int i = 0; i <= count; ++i)
    boxes.push_back(around({std::lerp(from.x, to.x, i / static_cast<double>(count)),
                            std::lerp(from.y, to.y, i / static_cast<double>(count))},
                           size / 2, size / 2));
  return boxes;
}

/// What a label names: marks at one place, or a thick line.
struct Target {
  const ChartItem* item;
  ChartPoint at;
  Box box;
  std::vector<std::size_t> steps;  ///< indices of the steps that it names, if it names steps
};

class LabelPlacer {
 public:
  explicit LabelPlacer(Chart& chart) : chart_(chart), axes_(chart, plot_of(chart.frame)) {}
  void place() {
    for (const ChartLine& line : chart_.lines)
      for (std::size_t i = 1; i < line.points.size(); ++i)
        avoid(along(at(line.points[i - 1]), at(line.points[i])),
              line.width >= thick ? cost_of_a_mark : cost_of_a_line);
    for (const ChartMark& mark : chart_.marks)
      avoid({around(at(mark.at), mark_radius, mark.shape == Shape::bar ? 3 : mark_radius)},
            cost_of_a_mark);
    for (const ChartLine& line : chart_.lines)
      if (!line.label.empty() && line.label_place == LabelPlace::along) label_along(line);
    label_ends();
    for (const Target& target : targets()) label_beside(target);
  }

 private:
  Place at(const ChartPoint& point) const { return {axes_.x(point.x), axes_.y(point.y)}; }
  void avoid(const std::vector<Box>& boxes, double cost) {
    for (const Box& box : boxes) obstacles_.emplace_back(box, cost);
  }

  double cost(const std::vector<Box>& boxes) const {
    double sum = 0;
    for (const Box& box : boxes) {
      if (box.left < axes_.plot.left || box.right > axes_.plot.right ||
          box.bottom < axes_.plot.bottom || box.top > axes_.plot.top)
        sum += cost_of_edge;
      for (const auto& [obstacle, price] : obstacles_)
        if (const double share = covered(box, obstacle); share > 0)
          sum += price * (0.3 + 0.7 * share);
    }
    return sum;
  }

  /// Places a label below or right of its line, where it covers least.
  void label_along(const ChartLine& line) {
    const Place from = at(line.points.front()), to = at(line.points.back());
    const double width = text_width(line.label, letter);
    const double length = std::hypot(to.x - from.x, to.y - from.y);
    if (!(length > 0)) return;
    const Place unit{(to.x - from.x) / length, (to.y - from.y) / length};
    const auto beside = [&](double way) {
      return Place{from.x + unit.x * way + unit.y * letter,
                   from.y + unit.y * way - unit.x * letter};
    };
    const auto letters = [&](double way) {
      return along(beside(way - width / 2), beside(way + width / 2), letter);
    };
    double best = length / 2, lowest = std::numeric_limits<double>::infinity();
    for (int i = 0; i <= 20; ++i) {
      const double way = width / 2 + 6 + (length - width - 12) * i / 20;
      const double price =
          0.05 * i + cost(letters(way));  // prefers the start, where marks are rare
      if (price < lowest) lowest = price, best = way;
    }
    avoid(letters(best), cost_of_a_mark);
    chart_.labels.push_back({line.label, line.points.front(), beside(best).x - from.x,
                             beside(best).y - from.y, line.colour, line.tags,
                             std::atan2(unit.y, unit.x) * 180 / std::numbers::pi});
  }

  /// Labels are to the right of the plot, with a line to the end of what they name.
  void label_ends() {
    constexpr double line_height = 19, leader = 18;
    std::vector<const ChartLine*> lines;
    for (const ChartLine& line : chart_.lines)
      if (!line.label.empty() && line.label_place == LabelPlace::end) lines.push_back(&line);
    std::ranges::stable_sort(lines, {}, [](const auto* line) { return line->points.back().y; });
    std::vector<double> wanted;
    for (const ChartLine* line : lines) wanted.push_back(axes_.y(line->points.back().y));
    const std::vector<double> places =
        spread(wanted, line_height, axes_.plot.top - line_height / 2);
    for (std::size_t i = 0; i < lines.size(); ++i)
      chart_.labels.push_back({lines[i]->label, lines[i]->points.back(), leader,
                               places[i] - wanted[i], lines[i]->colour, lines[i]->tags, 0, true,
                               true});
  }

  std::vector<Target> targets() const {
    std::vector<Target> list;
    const auto add = [&](const ChartItem& item, const ChartPoint& point) {
      const Box box = around(at(point), mark_radius + 1, mark_radius + 1);
      const auto step = std::ranges::find(chart_.steps, item.label);
      const bool is_step = step != chart_.steps.end();
      const auto near = std::ranges::find_if(list, [&](const Target& one) {
        const Place here = middle(box), there = middle(one.box);
        return is_step && !one.steps.empty() && one.item->of == item.of &&
               std::hypot(here.x - there.x, here.y - there.y) < one_place;
      });
      Target& target = near == list.end() ? list.emplace_back(&item, point, box) : *near;
      if (is_step) target.steps.push_back(static_cast<std::size_t>(step - chart_.steps.begin()));
    };
    for (auto line = chart_.lines.rbegin(); line != chart_.lines.rend();
         ++line)  // the top one first
      if (!line->label.empty() && line->label_place == LabelPlace::beside)
        add(*line, {(line->points[0].x + line->points[1].x) / 2, line->points[0].y});
    for (const ChartMark& mark : chart_.marks)
      if (!mark.label.empty()) add(mark, mark.at);
    return list;
  }

  /// The cheapest place for a label around its target; nearer ones and those above are preferred.
  Box free_place(const Box& target, double width) const {
    static constexpr std::array distances = {3.0, 12.0, 22.0, 34.0, 48.0, 64.0};
    static constexpr std::array right = {0., 0., 1., -1., 1., -1., 1., -1., .5, -.5, .5, -.5};
    static constexpr std::array up = {1., -1., 0., 0., 1., 1., -1., -1., 1., 1., -1., -1.};
    Box best;
    double lowest = std::numeric_limits<double>::infinity();
    const Place from = middle(target);
    for (std::size_t ring = 0; ring < distances.size(); ++ring)
      for (std::size_t i = 0; i < right.size(); ++i) {
        const Place to{from.x + right[i] * ((target.width() + width) / 2 + distances[ring]),
                       from.y + up[i] * ((target.height() + letter + 2) / 2 + distances[ring])};
        const Box box = around(to, width / 2, letter / 2 + 1);
        double price = 2.0 * static_cast<double>(ring) + 0.1 * static_cast<double>(i);
        if (price < lowest) price += cost({box});
        if (price >= lowest) continue;
        for (const Box& crossed : along(from, to))  // by the leader line
          if (covered(crossed, target) == 0 && covered(crossed, box) == 0) price += cost({crossed});
        if (price < lowest) lowest = price, best = box;
      }
    return best;
  }

  void label_beside(const Target& target) {
    const std::string text =
        target.steps.empty() ? target.item->label : label_range(chart_.steps, target.steps);
    const Place from = middle(target.box);
    const Box box = free_place(target.box, text_width(text, letter));
    avoid({box}, cost_of_a_label);
    const double far = std::hypot(std::clamp(from.x, box.left, box.right) - from.x,
                                  std::clamp(from.y, box.bottom, box.top) - from.y);
    chart_.labels.push_back({text, target.at, middle(box).x - from.x, middle(box).y - from.y,
                             target.item->colour, target.item->tags, 0,
                             far > nearby + mark_radius});
  }

  Chart& chart_;
  Axes axes_;
  std::vector<std::pair<Box, double>> obstacles_;  ///< with the cost of covering them
};

}  // namespace

std::vector<double> spread(std::vector<double> wanted, double gap, double high) {
  for (std::size_t i = 1; i < wanted.size(); ++i)
    wanted[i] = std::max(wanted[i], wanted[i - 1] + gap);
  for (auto place = wanted.rbegin(); place != wanted.rend(); ++place, high -= gap) {
    *place = std::min(*place, high);
    high = *place;
  }
  return wanted;
}

std::string label_range(const std::vector<std::string>& all,
                        const std::vector<std::size_t>& indices, const std::string& dash) {
  std::string text;
  for (std::size_t first = 0; first < indices.size();) {
    std::size_t last = first;
    while (last + 1 < indices.size() && indices[last + 1] == indices[last] + 1) ++last;
    if (last == first + 1) last = first;  // two in sequence are named separately
    if (!text.empty()) text += " ";
    text += all[indices[first]];
    if (last > first) text += dash + all[indices[last]];
    first = last + 1;
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
