// Charts as files: SVG, and the values beside them.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "roofline/view/chart.h"

namespace roofline {

/// A text as part of the name of a file: letters, digits, '.', '-' and '_', which becomes of all
/// others.
std::string file_stem(std::string_view text);

/// All that is drawn, a line each, values in full: the item, which it is of, its name, where its
/// value comes from, and the places of a mark, or of both ends of a line or box.
ViewTable chart_table(const Chart& chart);

/// What became of charts.
struct WrittenCharts {
  std::string note;      ///< one line for people
  bool complete = true;  ///< all of them were written
};

/// Writes NAME.svg and NAME.csv of every chart into the folder. Never throws: what went wrong is in
/// the note.
WrittenCharts write_charts(const std::filesystem::path& folder, const std::vector<Chart>& charts);

}  // namespace roofline
