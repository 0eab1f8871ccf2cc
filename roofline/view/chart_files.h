// Charts for other programs: SVG pictures with tables of their values, and JSON.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "roofline/view/chart.h"

namespace roofline {

/// Makes a part of a file name: characters other than letters, digits, '.', '-' and '_' become '_'.
std::string file_stem(std::string_view text);

/// A table of all drawn items with all digits: each item's kind, owner, name and source, and the
/// positions of a mark or of both ends of a line or box.
Table chart_table(const Chart& chart);

/// The result of writing charts.
struct WrittenCharts {
  std::string note;      ///< a message of one line
  bool complete = true;  ///< true if all were written
};

/// Writes NAME.svg and NAME.csv of every chart into the folder. Never throws: the note has the
/// errors.
WrittenCharts write_charts(const std::filesystem::path& folder, const std::vector<Chart>& charts);

/// Adds the charts that --json prints with a record, with chart.h's field names: "charts", and
/// "palette" with the light value of each of their colours.
void add_charts(nlohmann::ordered_json& json, const std::vector<Chart>& charts);

}  // namespace roofline
