#include "roofline/page/static_charts.h"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <string_view>

namespace roofline {

namespace fs = std::filesystem;

StaticCharts static_charts(const fs::path& folder) {
  StaticCharts charts;
  std::error_code ignored;  // a folder that cannot be read is refused when it is written to
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
    if (entry.path().extension() != ".svg") continue;
    std::ifstream file(entry.path(), std::ios::binary);
    if (file)
      charts[entry.path().filename().string()] =
          svg_data_uri(std::string(std::istreambuf_iterator<char>(file), {}));
  }
  return charts;
}

std::string svg_data_uri(const std::string& svg) {
  constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string uri = "data:image/svg+xml;base64,";
  for (std::size_t start = 0; start < svg.size(); start += 3) {
    const std::size_t count = std::min<std::size_t>(3, svg.size() - start);
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < 3; ++i)
      bits = bits << 8 | (i < count ? static_cast<unsigned char>(svg[start + i]) : 0u);
    for (std::size_t i = 0; i < 4; ++i) uri += i <= count ? digits[bits >> (18 - 6 * i) & 63] : '=';
  }
  return uri;
}

}  // namespace roofline
