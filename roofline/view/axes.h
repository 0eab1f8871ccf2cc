// The common style of charts and pages: a palette, a marker for each memory level. Axes of charts:
// ranges, ticks, and conversion of values to positions. Finishes a chart: room for its key, and
// labels that do not cover each other.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
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

/// Lowers the plot to make room for the key's rows, chooses ticks, and places the labels of lines
/// and marks. Marks of one level so close together that a label cannot tell them apart share one:
/// "v2–v4".
void finish(Chart& chart);

/// Names of steps; three or more that follow each other in `all` as a range: "v1–v3 v6".
std::string label_range(const std::vector<std::string>& all, const std::vector<std::string>& names,
                        const std::string& dash = "–");

/// The place of an entry of the key. Row 0 is the top row.
struct KeyPlace {
  double x;
  int row;
};
std::vector<KeyPlace> key_places(const Chart& chart);

/// The width of the entry's marker or line, in pixels.
inline double sample_width(const ChartKey& entry) { return entry.shape ? 14 : 32; }

/// A colour with its light and dark value: "#RRGGBB". Colour-blind readers can distinguish them.
/// Source: Okabe and Ito 2008.
struct PaletteColour {
  std::string name;  ///< "ink", "grid", "level-l1", "series-0"
  std::string light, dark;
};

/// All colours. The page's style sheet is made from this list.
const std::vector<PaletteColour>& palette();

/// A colour's light or dark value. Throws std::logic_error for an unknown name.
const std::string& colour_value(std::string_view name, bool dark = false);

/// The marker and colour of a memory level ("l1", "shared", "l2", "l3", "dram") or of "compute".
struct LevelStyle {
  std::string colour;  ///< a name in the palette
  Shape shape = Shape::circle;
};
LevelStyle level_style(std::string_view level);

/// The colours of the parts of a whole, and of series, by their number.
std::string series_colour(std::size_t index);
std::string part_colour(std::size_t index);

/// Sizes in pixels: texts beside marks and lines, the key, and the radius of a mark.
inline constexpr double label_font_size = 13, key_font_size = 14, key_row_height = 22;
inline constexpr double mark_radius = 6.5;

}  // namespace roofline
