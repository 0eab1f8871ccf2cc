// The common style of all charts and pages: a palette, and a marker for each memory level.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "roofline/view/chart.h"

namespace roofline {

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
