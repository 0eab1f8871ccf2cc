// Draws charts as SVG without other software, so that every machine can make pictures; in files and
// in JSON.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "roofline/view/chart.h"

namespace roofline {

/// The chart as a complete file in light colours. The same chart gives the same bytes on every
/// machine. Texts may hold anything: XML's special characters and invalid UTF-8 are escaped.
std::string svg_text(const Chart& chart);

/// The same picture for a page: without title, key and notes, which the page writes, in the page's
/// colours, with tooltips, and with the tags of its items for the page's switches. `id` is unique
/// on the page.
std::string svg_in_page(const Chart& chart, const std::string& id);

/// The marker or line of an entry of the key, for a page.
std::string svg_sample(const ChartKey& entry);

/// Escapes a text for XML content and attributes.
std::string xml_text(std::string_view text);
/// The same for a text whose line ends stay.
std::string xml_lines(std::string_view text);

/// Formats a length or position: at most one decimal, never an exponent.
std::string svg_number(double value);

/// An SVG element: `svg_element("line", {{"x1", "3"}})`; attributes without a value are left out.
std::string svg_element(const char* name,
                        const std::vector<std::pair<const char*, std::string>>& attributes,
                        std::string_view content = {});

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
