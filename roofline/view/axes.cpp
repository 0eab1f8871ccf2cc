#include "roofline/view/axes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "roofline/base/text.h"

namespace roofline {

bool drawable(double value) { return std::isfinite(value) && value > 0; }

Range decades(double one, double other) {
  const double smaller = std::min(one, other), larger = std::max(one, other);
  if (!drawable(smaller) || !drawable(larger)) return {};
  const double low = std::clamp(std::floor(std::log10(smaller)), -300.0, 299.0);
  const double high = std::clamp(std::ceil(std::log10(larger)), low + 1, 300.0);
  return {std::pow(10.0, low), std::pow(10.0, high)};
}

Range round_range(double one, double other) {
  const double smaller = std::min(one, other), larger = std::max(one, other);
  const Range whole = decades(smaller, larger);
  Range range = whole;
  for (const double digit : {2.0, 5.0})
    if (digit * whole.low <= smaller) range.low = digit * whole.low;
  for (const double digit : {0.5, 0.2})
    if (digit * whole.high >= larger && digit * whole.high > range.low)
      range.high = digit * whole.high;
  return range;
}

std::vector<double> round_values(const Range& range, double room) {
  const double first = std::log10(range.low), last = std::log10(range.high);
  const bool few = (last - first) / std::log10(2) <= room;
  const int every = static_cast<int>(std::clamp(std::ceil((last - first) / room), 1.0, 1000.0));
  std::vector<double> values;
  for (int power = static_cast<int>(std::floor(first)); power <= last + 0.001; ++power)
    for (const int digit : {1, 2, 5}) {
      const double value = digit * std::pow(10.0, power);
      const bool inside = value > range.low * 0.999 && value < range.high * 1.001;
      if (inside && (few || (digit == 1 && power % every == 0))) values.push_back(value);
    }
  return values;
}

ChartAxis log_axis(const std::string& title, const std::string& unit, const Range& wanted) {
  constexpr double least = 1e-300, most = 1e300;  // leaves room for a decade on either side
  Range range{std::clamp(wanted.low, least, most), std::clamp(wanted.high, least, most)};
  if (!(wanted.low > 0 && range.low < range.high)) range = {};
  return {title, unit, true, range.low, range.high};
}

ChartAxis category_axis(const std::vector<std::string>& names) {
  ChartAxis axis{"", "", false, -0.5, static_cast<double>(names.size()) - 0.5};
  axis.categories = true;
  for (const std::string& name : names)
    axis.ticks.push_back({static_cast<double>(axis.ticks.size()), name});
  return axis;
}

void fill_ticks(ChartAxis& axis, double pixels, bool upright) {
  if (axis.categories) return;
  constexpr double font_size = 15;
  const double needed =
      upright ? 1.4 * font_size : text_width("1000 " + axis.unit, font_size) + font_size;
  const auto text = [&unit = axis.unit](double value) {
    if (unit.ends_with("/B") || unit.ends_with("/txn")) return fmt::format("{:g} {}", value, unit);
    return unit == "x" ? fmt::format("{:g}x", value) : round_with_prefix(value, unit);
  };
  axis.ticks.clear();
  if (axis.logarithmic)
    for (const double value : round_values({axis.low, axis.high}, pixels / needed))
      axis.ticks.push_back({value, text(value)});
  if (axis.logarithmic || !(axis.low < axis.high)) return;
  const double rough = (axis.high - axis.low) / 5;
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  const double step = power * (rough < 1.5 * power ? 1 : rough < 3.5 * power ? 2 : 5);
  for (int i = 0; i < 10; ++i)
    if (const double at = step * (std::ceil(axis.low / step) + i); at <= axis.high)
      axis.ticks.push_back({at, fmt::format("{:g}{}", at, axis.unit)});
}

Box plot_of(const ChartFrame& frame) {
  return {frame.left, frame.bottom, frame.width - frame.right, frame.height - frame.top};
}

double Axes::place(double value, const ChartAxis& axis, double from, double to) {
  const double share = axis.logarithmic ? (std::log(value) - std::log(axis.low)) /
                                              (std::log(axis.high) - std::log(axis.low))
                                        : (value - axis.low) / (axis.high - axis.low);
  return from + (to - from) * share;
}

double text_width(const std::string& text, double font_size) {
  const auto letters = std::ranges::count_if(  // not the following bytes of a UTF-8 character
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; });
  return 0.58 * font_size * static_cast<double>(letters);
}

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

const std::vector<PaletteColour>& palette() {
  static const std::vector<PaletteColour> colours = {
      {"paper", "#FFFFFF", "#14161A"},         {"ink", "#1B1D21", "#EBE8E1"},
      {"ink-soft", "#5B6068", "#A3A7AF"},      {"grid", "#E6E6E6", "#2B2F36"},
      {"box", "#D9D9D9", "#3A3F48"},           {"roof-soft", "#9A9DA3", "#7D828B"},
      {"published", "#8B8F98", "#8E939C"},     {"level-l1", "#D55E00", "#FF8A3D"},
      {"level-l2", "#009E73", "#00B98A"},      {"level-l3", "#CC79A7", "#E08FBD"},
      {"level-dram", "#0072B2", "#56B4E9"},    {"level-shared", "#3C9BD0", "#8FD0F5"},
      {"level-compute", "#C98A00", "#E6B800"}, {"series-0", "#0072B2", "#56B4E9"},
      {"series-1", "#D55E00", "#E69F00"},      {"series-2", "#009E73", "#00B98A"},
      {"series-3", "#CC79A7", "#CC79A7"},      {"series-4", "#C98A00", "#F0E442"},
      {"series-5", "#3C9BD0", "#EE7733"},      {"part-0", "#0072B2", "#0072B2"},
      {"part-1", "#E69F00", "#E69F00"},        {"part-2", "#009E73", "#009E73"},
      {"part-3", "#CC79A7", "#CC79A7"},        {"part-4", "#56B4E9", "#56B4E9"},
      {"part-5", "#D55E00", "#D55E00"},        {"part-6", "#F0E442", "#F0E442"},
      {"part-7", "#7D5BA6", "#9A78C4"},        {"part-8", "#A05A2C", "#B97442"},
      {"part-9", "#8B8F98", "#8E939C"}};
  return colours;
}

const std::string& colour_value(std::string_view name, bool dark) {
  for (const PaletteColour& colour : palette())
    if (colour.name == name) return dark ? colour.dark : colour.light;
  throw std::logic_error(fmt::format("no colour {} in the palette", name));
}

LevelStyle level_style(std::string_view level) {
  if (level == "l1" || level == "global") return {"level-l1", Shape::circle};
  if (level == "l2") return {"level-l2", Shape::square};
  if (level == "l3") return {"level-l3", Shape::triangle};
  if (level == "dram") return {"level-dram", Shape::diamond};
  if (level == "shared") return {"level-shared", Shape::pentagon};
  if (level == "compute") return {"level-compute", Shape::triangle_down};
  return {"ink", Shape::circle};
}

std::string series_colour(std::size_t index) { return fmt::format("series-{}", index % 6); }

std::string part_colour(std::size_t index) { return fmt::format("part-{}", index % 10); }

}  // namespace roofline
