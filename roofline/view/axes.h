// Axes of charts: ranges, ticks, and conversion of values to positions.
#pragma once

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "roofline/view/chart.h"

namespace roofline {

/// The ends of an axis.
struct Range {
  double low = 1;
  double high = 10;

  void hold(double value) {  // widens it
    low = std::min(low, value);
    high = std::max(high, value);
  }
  bool operator==(const Range&) const = default;
};
inline constexpr Range empty_range{std::numeric_limits<double>::infinity(), 0};

/// A position in a picture, in pixels.
using Place = ChartPoint;

/// True if a logarithmic axis can show the value.
bool drawable(double value);

/// The range of whole decades that contains both values, at least one decade. 1 to 10 if one of
/// them is not positive.
Range decades(double one, double other);

/// The range with ends at 1, 2 or 5 times a power of ten.
Range round_range(double one, double other);

/// 1, 2 and 5 times powers of ten in the range, or as many powers as `room` has places for.
std::vector<double> round_values(const Range& range, double room = 8);

/// A logarithmic axis; fill_ticks() gives it ticks. The range is limited to 1e-300..1e300.
ChartAxis log_axis(const std::string& title, const std::string& unit, const Range& range);

/// An axis of names at 0, 1, 2, ...; names may have several lines.
ChartAxis category_axis(const std::vector<std::string>& names);

/// Round values with prefix and unit, as many as have room on `pixels`. Intensities and ratios
/// (unit "x") have no prefixes.
void fill_ticks(ChartAxis& axis, double pixels, bool upright);

/// An area of a picture in pixels from the lower left.
struct Box {
  double left = 0, bottom = 0, right = 0, top = 0;
  double width() const { return right - left; }
  double height() const { return top - bottom; }
};

Box plot_of(const ChartFrame& frame);

/// Converts values to positions in a frame's plot.
class Axes {
 public:
  Axes(const Chart& chart, const Box& box) : plot(box), x_(chart.x), y_(chart.y) {}

  double x(double value) const { return place(value, x_, plot.left, plot.right); }
  double y(double value) const { return place(value, y_, plot.bottom, plot.top); }

  Box plot;

 private:
  static double place(double value, const ChartAxis& axis, double from, double to);

  ChartAxis x_, y_;
};

/// The estimated width of a text in pixels; fonts differ between machines.
double text_width(const std::string& text, double font_size);

}  // namespace roofline
