// Charts for other programs: SVG pictures, in files and in JSON.
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

/// The result of writing charts.
struct WrittenCharts {
  std::string note;      ///< a message of one line
  bool complete = true;  ///< true if all were written
};

/// Writes NAME.svg of every chart into the folder. Never throws: the note has the error.
WrittenCharts write_charts(const std::filesystem::path& folder, const std::vector<Chart>& charts);

/// Adds the charts that --json prints with a record: "charts", each with name, title and svg.
void add_charts(nlohmann::ordered_json& json, const std::vector<Chart>& charts);

}  // namespace roofline
