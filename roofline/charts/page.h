// Where things lie on the page of a chart. Lengths are pixels of the SVG, from the lower left.
#pragma once

#include <cmath>

#include "roofline/charts/chart.h"

namespace roofline {

struct Box {
  double left = 0, bottom = 0, right = 0, top = 0;

  double width() const { return right - left; }
  double height() const { return top - bottom; }
};

/// A page with the plot inside: the borders hold the axes, the title and labels.
struct Page {
  double width = 1200, height = 800;
  Box plot;
};

/// Places values on logarithmic axes.
struct LogAxes {
  Box plot;
  Range across, up;

  double x(double value) const { return place(value, across, plot.left, plot.right); }
  double y(double value) const { return place(value, up, plot.bottom, plot.top); }
  double value_at_x(double x) const { return value(x, across, plot.left, plot.right); }
  double value_at_y(double y) const { return value(y, up, plot.bottom, plot.top); }

 private:
  static double place(double value, Range axis, double from, double to) {
    return from + (to - from) * std::log(value / axis.low) / std::log(axis.high / axis.low);
  }
  static double value(double at, Range axis, double from, double to) {
    return axis.low * std::pow(axis.high / axis.low, (at - from) / (to - from));
  }
};

}  // namespace roofline
