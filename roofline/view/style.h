// What every chart and page looks alike by: one palette, one marker for each level of memory.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "roofline/view/chart.h"

namespace roofline {

/// A colour of the palette on light and on dark paper: "#RRGGBB". They stay apart for colour-blind
/// readers. Source: Okabe and Ito 2008.
struct PaletteColour {
  std::string name;  ///< "ink", "grid", "level-l1", "series-0"
  std::string light, dark;
};

/// All of them; the page's style sheet is made from this list.
const std::vector<PaletteColour>& palette();

/// The colour's value on light or dark paper. Throws std::logic_error for a name that is not there.
const std::string& colour_value(std::string_view name, bool dark = false);

/// The marker and the colour of a level of memory ("l1", "shared", "l2", "l3", "dram") or of
/// "compute".
struct LevelStyle {
  std::string colour;  ///< a name of the palette
  Shape shape = Shape::circle;
};
LevelStyle level_style(std::string_view level);

/// The shape's name for renderers: "circle", "triangle-down".
const char* shape_name(Shape shape);

std::string series_colour(std::size_t index);

std::string part_colour(std::size_t index);

/// Sizes in pixels: of texts beside marks and lines, in the frame of a picture and in a phone's; of
/// a mark from its middle to its rim.
inline constexpr double label_font_size = 15, small_font_size = 13, narrow_font_size = 10;
inline constexpr double mark_radius = 6.5;

}  // namespace roofline
