#include "roofline/view/chart_files.h"

#include <fmt/format.h>

#include <cctype>
#include <nlohmann/json.hpp>

#include "roofline/base/replace_file.h"
#include "roofline/view/svg.h"

namespace roofline {

std::string file_stem(std::string_view text) {
  std::string stem(text);
  for (char& c : stem) {
    const auto letter = static_cast<unsigned char>(c);
    if (letter >= 0x80 || (!std::isalnum(letter) && c != '.' && c != '-' && c != '_')) c = '_';
  }
  return stem;
}

WrittenCharts write_charts(const std::filesystem::path& folder, const std::vector<Chart>& charts) {
  WrittenCharts written;
  try {
    for (const Chart& chart : charts) {
      write_whole(folder / (chart.name + ".svg"), svg_text(chart));
      written.note += (written.note.empty() ? "Charts: " : " ") + chart.name + ".svg";
    }
  } catch (const std::exception& error) {
    written = {fmt::format("Charts: not written: {}", error.what()), false};
  }
  return written;
}

void add_charts(nlohmann::ordered_json& json, const std::vector<Chart>& charts) {
  json["charts"] = nlohmann::ordered_json::array();
  for (const Chart& chart : charts)
    json["charts"].push_back(
        {{"name", chart.name}, {"title", chart.title}, {"svg", svg_text(chart)}});
}

}  // namespace roofline
