#include "gpp/study/published.h"

#include <map>
#include <sstream>

#include "harness/program/embedded.h"

namespace gpp {
namespace embedded {
std::span<const File> gpp_published();  // results/published/: sc19-v100.csv, and -profiler.csv
}

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

/// What the profiler said, by version.
std::map<std::string, roofline::Metrics> read_profiled() {
  std::map<std::string, roofline::Metrics> profiled;
  for (auto& row : rows_of(embedded::gpp_published().back().text))
    profiled[row["version"]][row["metric"]] = std::stod(row["value"]);
  return profiled;
}

std::vector<PublishedStep> read_published() {
  std::map<std::string, roofline::Metrics> profiled = read_profiled();
  std::vector<PublishedStep> steps;
  for (auto& row : rows_of(embedded::gpp_published().front().text)) {
    steps.push_back({row["version"], row["name"], std::stod(row["tflop"]), std::stod(row["time_s"]),
                     std::stod(row["tflop_per_s"]), std::nullopt, row["note"],
                     profiled[row["version"]]});
    if (!row["registers"].empty()) steps.back().registers = std::stoi(row["registers"]);
  }
  return steps;
}

}  // namespace

const Published& published_v100() {
  static const Published published = {"V100",
                                      "V100, OpenACC, gpp214 (SC19)",
                                      "V100: published speedup over v1 (SC19, OpenACC, gpp214).",
                                      "SC19 tutorial, “Case Study: Roofline Analysis on GPUs”",
                                      static_cast<double>(gpp214_terms),
                                      read_published()};
  return published;
}

}  // namespace gpp
