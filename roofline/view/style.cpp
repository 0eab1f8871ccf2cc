#include "roofline/view/style.h"

#include <fmt/format.h>

#include <stdexcept>

namespace roofline {

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
