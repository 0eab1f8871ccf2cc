#include "roofline/view/axes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "roofline/base/units.h"

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

}  // namespace roofline
