// Charts that were drawn before, for a page without Plotly.
#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace roofline {

/// Images as svg_data_uri() makes them, by the name of their file: "roofline.svg".
using StaticCharts = std::map<std::string, std::string>;

/// Every SVG of the folder that can be read; none where the folder cannot.
StaticCharts static_charts(const std::filesystem::path& folder);

/// "data:image/svg+xml;base64,...": an image that needs no file beside the page, and whose parts
/// have no names in common with the page or other images.
std::string svg_data_uri(const std::string& svg);

}  // namespace roofline
