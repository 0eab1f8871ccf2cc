#include "harness/published.h"

#include <sstream>
#include <string>
#include <vector>

#include "harness/build_info.h"

namespace gpp {
namespace {

std::vector<std::string> cells(const std::string& line) {
  std::vector<std::string> list;
  std::istringstream stream(line);
  for (std::string cell; std::getline(stream, cell, ',');) list.push_back(cell);
  return list;
}

std::optional<double> published_time(std::string_view id) {
  std::istringstream table{std::string(build_info::published_sc19_v100_csv)};
  std::vector<std::string> header;
  for (std::string line; std::getline(table, line);) {
    if (line.empty() || line.front() == '#') continue;
    const std::vector<std::string> row = cells(line);
    if (header.empty()) {
      header = row;
      continue;
    }
    if (row.front() != id) continue;
    for (std::size_t i = 0; i < row.size() && i < header.size(); ++i)
      if (header[i] == "time_s") return std::stod(row[i]);
  }
  return std::nullopt;
}

}  // namespace

std::optional<double> published_v100_speedup(std::string_view id) {
  const std::optional<double> first = published_time("v1");
  const std::optional<double> time = published_time(id);
  if (!first || !time) return std::nullopt;
  return *first / *time;
}

}  // namespace gpp
