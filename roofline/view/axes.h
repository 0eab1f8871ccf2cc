// Axes of charts: their ranges and ticks, and where values lie in a picture.
#pragma once

#include <string>
#include <vector>

#include "roofline/view/chart.h"

namespace roofline {

/// The ends of an axis.
struct Range {
  double low = 1;
  double high = 10;
  bool operator==(const Range&) const = default;
};

/// A place in a picture, in pixels.
struct Place {
  double x = 0, y = 0;
};

/// Whether a logarithmic axis has a place for it.
bool drawable(double value);

/// The range where it can be drawn on a logarithmic axis, held within 1e-300 and 1e300; else 1 to
/// 10.
Range bounded(const Range& range);

/// The decades that hold both values, in any order; one decade at least. 1 to 10 where one of them
/// is not a positive number.
Range decades(double one, double other);

/// The same, but beginning and ending at 1, 2 or 5 times a power of ten.
Range round_range(double one, double other);

/// 1, 2 and 5 times the powers of ten inside the range, or the powers alone where it is wide.
std::vector<double> round_values(const Range& range);

/// A logarithmic axis as long as `pixels`, with ticks at 1, 2 and 5 times the powers of ten, each
/// with its prefix and unit, or as many powers of ten as find room; ticks without a text between
/// them. Intensities have no prefixes, nor have ratios, whose unit is "x".
ChartAxis log_axis(const std::string& title, const std::string& unit, const Range& range,
                   double pixels, bool upright = false);

/// An axis from `range.low` to `range.high` with about five round ticks.
ChartAxis linear_axis(const std::string& title, const std::string& unit, const Range& range);

/// An axis of names at 0, 1, 2, ...; a name may have several lines.
ChartAxis category_axis(const std::vector<std::string>& names);

/// An area of a picture, pixels from its lower left.
struct Box {
  double left = 0, bottom = 0, right = 0, top = 0;
  double width() const { return right - left; }
  double height() const { return top - bottom; }
};

Box plot_of(const ChartFrame& frame);

/// Places values in the plot of a frame.
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

}  // namespace roofline
