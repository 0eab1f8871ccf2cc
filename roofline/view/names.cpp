// Places the names of lines and marks.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "roofline/view/labels.h"
#include "roofline/view/style.h"

namespace roofline {
namespace {

/// Costs of covering: a label may cover lines rather than be far away, but hardly marks.
constexpr double cost_of_a_line = 4, cost_of_an_arrow = 3, cost_of_a_mark = 30;
/// Lines at least this thick are content of the chart, not leaders.
constexpr double thick = 4;
/// A label farther from its mark than this gets a leader line.
constexpr double nearby = 14;

class NamePlacer {
 public:
  explicit NamePlacer(const Chart& chart)
      : axes_(chart, plot_of(chart.frame)), placer_(axes_.plot) {
    for (const ChartLine& line : chart.lines) avoid(line);
    for (const ChartMark& mark : chart.marks)
      if (!mark.small)
        placer_.avoid(around(mark.at, mark.shape == Shape::bar ? 3 : mark_radius), cost_of_a_mark);
  }

  void name_ends(const std::vector<NameOfLine>& names);
  void name_line(const NameOfLine& name);
  void name_marks(const NamesOfMarks& names);

  std::vector<ChartLabel> labels;

 private:
  static double size(bool small) { return small ? small_font_size : label_font_size; }
  Box around(const ChartPoint& at, double up) const {
    const double x = axes_.x(at.x), y = axes_.y(at.y);
    return {x - mark_radius, y - up, x + mark_radius, y + up};
  }
  void avoid(const ChartLine& line);

  Axes axes_;
  LabelPlacer placer_;
};

void NamePlacer::avoid(const ChartLine& line) {
  const double cost = line.width >= thick ? cost_of_a_mark
                      : line.arrow        ? cost_of_an_arrow
                                          : cost_of_a_line;
  for (std::size_t i = 1; i < line.points.size(); ++i)
    placer_.avoid_line(axes_.x(line.points[i - 1].x), axes_.y(line.points[i - 1].y),
                       axes_.x(line.points[i].x), axes_.y(line.points[i].y), cost);
}

/// Names are to the right of the plot, with a line to the end of what they name.
void NamePlacer::name_ends(const std::vector<NameOfLine>& all) {
  constexpr double line_height = 19, leader = 18;
  std::vector<NameOfLine> names;
  std::ranges::copy_if(all, std::back_inserter(names), &NameOfLine::outside);
  std::ranges::stable_sort(
      names, [](const NameOfLine& a, const NameOfLine& b) { return a.to.y < b.to.y; });
  std::vector<double> wanted;
  for (const NameOfLine& name : names) wanted.push_back(axes_.y(name.to.y));
  const std::vector<double> places =
      spread(wanted, line_height, axes_.plot.bottom, axes_.plot.top - line_height / 2);
  for (std::size_t i = 0; i < names.size(); ++i)
    labels.push_back({names[i].text, names[i].to, leader, places[i] - wanted[i], 0, true, true,
                      true, names[i].colour, names[i].tags});
}

void NamePlacer::name_line(const NameOfLine& name) {
  double x0 = axes_.x(name.from.x), y0 = axes_.y(name.from.y);
  double x1 = axes_.x(name.to.x), y1 = axes_.y(name.to.y);
  const double width = text_width(name.text, size(name.small));
  const double length = std::hypot(x1 - x0, y1 - y0);
  if (!(length > 0)) return;
  const double ux = (x1 - x0) / length, uy = (y1 - y0) / length;
  const double aside = name.aside * (x1 < x0 ? -1 : 1);
  const double half = size(name.small) / 2 + 0.5;
  const auto at = [&](double way) {
    return std::pair(x0 + ux * way - uy * aside, y0 + uy * way + ux * aside);
  };
  const auto letters = [&](double middle) {
    std::vector<Box> boxes;
    for (double way = middle - width / 2; way <= middle + width / 2; way += half) {
      const auto [x, y] = at(way);
      boxes.push_back({x - half, y - half, x + half, y + half});
    }
    return boxes;
  };
  double best = length / 2, lowest = INFINITY;
  for (int i = 0; i <= 20; ++i) {
    const double middle = width / 2 + 6 + (length - width - 12) * i / 20;
    double price = 0.05 * i;  // prefers the start, where marks are rare
    for (const Box& box : letters(middle)) price += placer_.cost(box);
    if (price >= lowest) continue;
    lowest = price;
    best = middle;
  }
  for (const Box& box : letters(best)) placer_.avoid(box, cost_of_a_mark);
  const auto [x, y] = at(best);
  const double angle =
      std::atan2(x1 < x0 ? y0 - y1 : y1 - y0, std::abs(x1 - x0)) * 180 / std::numbers::pi;
  labels.push_back({name.text, name.from, x - x0, y - y0, angle, false, false, name.small,
                    name.colour, name.tags});
}

void NamePlacer::name_marks(const NamesOfMarks& names) {
  std::vector<Mark> marks;
  std::vector<Place> at(names.names.size());
  for (std::size_t i = 0; i < names.names.size(); ++i) {
    if (!names.places[i]) continue;
    at[i] = {axes_.x(names.places[i]->x), axes_.y(names.places[i]->y)};
    marks.push_back({i, at[i].x, at[i].y});
  }
  for (const Cluster& cluster : clusters(marks, mark_radius + 1, names.apart ? 0 : 11)) {
    const std::string text = label_range(names.names, cluster.members);
    const double font = size(names.small);
    const Box label = placer_.place(cluster.box, text_width(text, font), font + 2, true);
    placer_.take(label);
    const double x = (label.left + label.right) / 2, y = (label.bottom + label.top) / 2;
    const auto far = [&](std::size_t i) {
      return std::hypot(std::clamp(at[i].x, label.left, label.right) - at[i].x,
                        std::clamp(at[i].y, label.bottom, label.top) - at[i].y);
    };
    const std::size_t nearest = *std::ranges::min_element(
        cluster.members, [&far](std::size_t a, std::size_t b) { return far(a) < far(b); });
    labels.push_back({text, *names.places[nearest], x - at[nearest].x, y - at[nearest].y, 0,
                      far(nearest) > nearby + mark_radius, false, names.small, names.colour,
                      names.tags});
  }
}

}  // namespace

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

void place_names(Chart& chart, const std::vector<NameOfLine>& lines,
                 const std::vector<NamesOfMarks>& marks) {
  NamePlacer placer(chart);
  for (const NameOfLine& name : lines)
    if (!name.outside) placer.name_line(name);
  placer.name_ends(lines);
  for (const NamesOfMarks& names : marks) placer.name_marks(names);
  chart.labels = std::move(placer.labels);
}

}  // namespace roofline
