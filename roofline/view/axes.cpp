#include "roofline/view/axes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "roofline/base/units.h"
#include "roofline/view/labels.h"

namespace roofline {

bool drawable(double value) { return std::isfinite(value) && value > 0; }

namespace {

std::string tick_text(double value, const std::string& unit) {
  if (unit.ends_with("/B") || unit.ends_with("/txn")) return fmt::format("{:g} {}", value, unit);
  if (unit == "x") return fmt::format("{:g}x", value);
  return round_with_prefix(value, unit);
}

/// Decides which ticks of a logarithmic axis have room for labels.
class TickSpacing {
 public:
  TickSpacing(bool upright, const Range& range, const std::string& unit, double pixels) {
    constexpr double font_size = 15;
    const double needed =
        upright ? 1.4 * font_size : text_width("1000 " + unit, font_size) + font_size;
    const double decade = pixels / (std::log10(range.high) - std::log10(range.low));
    twos_and_fives_ = decade * std::log10(2) >= needed;
    every_ = static_cast<int>(std::clamp(std::ceil(needed / decade), 1.0, 1000.0));
  }

  /// True if the tick digit * 10^power has a label.
  bool names(int digit, int power) const {
    if (twos_and_fives_) return digit == 1 || digit == 2 || digit == 5;
    return digit == 1 && power % every_ == 0;
  }

 private:
  bool twos_and_fives_;
  int every_;
};

}  // namespace

Range bounded(const Range& range) {
  constexpr double least = 1e-300, most = 1e300;  // leaves room for a decade on either side
  if (!(range.low > 0 && range.high > range.low)) return {};
  const Range held{std::clamp(range.low, least, most), std::clamp(range.high, least, most)};
  return held.high > held.low ? held : Range{};
}

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

std::vector<double> round_values(const Range& range) {
  const bool few = range.high / range.low < 300;
  std::vector<double> values;
  for (double power = std::floor(std::log10(range.low)); power <= std::log10(range.high); ++power)
    for (const double digit : {1.0, 2.0, 5.0}) {
      const double value = digit * std::pow(10.0, power);
      if (value > range.low && value < range.high && (digit == 1 || few)) values.push_back(value);
    }
  return values;
}

ChartAxis log_axis(const std::string& title, const std::string& unit, const Range& wanted,
                   double pixels, bool upright) {
  // Limits the range, so that the number of ticks is finite.
  const Range range = bounded(wanted);
  const TickSpacing spacing(upright, range, unit, pixels);
  ChartAxis axis{title, unit, true, range.low, range.high};
  for (double power = std::floor(std::log10(range.low)); power <= std::log10(range.high); ++power)
    for (int digit = 1; digit < 10; ++digit) {
      const double value = digit * std::pow(10.0, power);
      if (value < range.low * 0.999 || value > range.high * 1.001) continue;
      const bool named = spacing.names(digit, static_cast<int>(power));
      axis.ticks.push_back({value, named ? tick_text(value, unit) : ""});
    }
  return axis;
}

ChartAxis linear_axis(const std::string& title, const std::string& unit, const Range& range) {
  ChartAxis axis{title, unit, false, range.low, range.high};
  const double rough = (range.high - range.low) / 5;
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  const double step = power * (rough < 1.5 * power ? 1 : rough < 3.5 * power ? 2 : 5);
  for (int i = static_cast<int>(std::ceil(range.low / step)); i * step <= range.high; ++i)
    axis.ticks.push_back({i * step, fmt::format("{:g}{}", i * step, unit)});
  return axis;
}

ChartAxis category_axis(const std::vector<std::string>& names) {
  ChartAxis axis{"", "", false, -0.5, static_cast<double>(names.size()) - 0.5};
  axis.categories = true;
  for (const std::string& name : names)
    axis.ticks.push_back({static_cast<double>(axis.ticks.size()), name});
  return axis;
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

}  // namespace roofline
