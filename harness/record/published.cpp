#include "harness/record/published.h"

#include <algorithm>
#include <map>
#include <sstream>

#include "harness/program/build_info.h"

namespace gpp {
namespace {

std::vector<std::string> cells(const std::string& line) {
  std::vector<std::string> list;
  std::istringstream stream(line);
  for (std::string cell; std::getline(stream, cell, ',');) list.push_back(cell);
  return list;
}

/// The rows of a table whose first line names the columns; lines that start with # are comments.
std::vector<std::map<std::string, std::string>> rows_of(std::string_view csv) {
  std::vector<std::map<std::string, std::string>> rows;
  std::vector<std::string> header;
  std::istringstream table{std::string(csv)};
  for (std::string line; std::getline(table, line);) {
    if (line.empty() || line.front() == '#') continue;
    const std::vector<std::string> row = cells(line);
    if (header.empty()) {
      header = row;
      continue;
    }
    rows.emplace_back();
    for (std::size_t i = 0; i < row.size() && i < header.size(); ++i)
      rows.back()[header[i]] = row[i];
  }
  return rows;
}

std::vector<PublishedStep> read_published() {
  std::vector<PublishedStep> steps;
  for (auto& row : rows_of(build_info::published_sc19_v100_csv)) {
    steps.push_back({row["version"], row["name"], std::stod(row["tflop"]), std::stod(row["time_s"]),
                     std::stod(row["tflop_per_s"]), std::nullopt, row["note"]});
    if (!row["registers"].empty()) steps.back().registers = std::stoi(row["registers"]);
  }
  return steps;
}

}  // namespace

const std::vector<PublishedStep>& published_v100() {
  static const std::vector<PublishedStep> steps = read_published();
  return steps;
}

const PublishedStep* published_v100_step(std::string_view id) {
  const std::vector<PublishedStep>& steps = published_v100();
  const auto step = std::find_if(steps.begin(), steps.end(),
                                 [id](const PublishedStep& one) { return one.version == id; });
  return step == steps.end() ? nullptr : &*step;
}

std::optional<double> published_v100_speedup(std::string_view id) {
  const PublishedStep* step = published_v100_step(id);
  if (step == nullptr) return std::nullopt;
  return published_v100().front().seconds / step->seconds;
}

}  // namespace gpp
