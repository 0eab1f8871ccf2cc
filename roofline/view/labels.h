// Finishes a chart: room for its key, ticks, and labels that do not cover each other.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "roofline/view/axes.h"

namespace roofline {

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

}  // namespace roofline
