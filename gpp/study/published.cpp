#include "gpp/study/published.h"

#include <algorithm>
#include <map>
#include <sstream>
#include <stdexcept>

#include "harness/program/embedded.h"
#include "roofline/base/csv.h"

namespace gpp {
namespace embedded {
std::span<const File> gpp_published();  // generated from results/published/
}

namespace {

constexpr std::string_view folder = "results/published/";

std::vector<PublishedStep> read_published() {
  std::vector<PublishedStep> steps;
  for (auto& row : published_rows("sc19-v100.csv"))
    steps.push_back({row["version"], std::stod(row["time_s"])});
  return steps;
}

/// Parses "wait 217938; misc 518".
std::map<std::string, std::uint64_t> read_stalls(const std::string& cell) {
  std::map<std::string, std::uint64_t> stalls;
  std::istringstream list(cell);
  for (std::string name, number; list >> name && std::getline(list, number, ';');)
    stalls[name] = std::stoull(number);
  return stalls;
}

std::vector<PublishedLine> read_lines() {
  std::vector<PublishedLine> lines;
  for (auto& row : published_rows("sc19-v100-lines.csv"))
    lines.push_back({row["version"], std::stoi(row["line"]), row["source"],
                     std::stoull(row["samples"]), std::stoull(row["not_issued"]), row["stalls_of"],
                     read_stalls(row["stalls"])});
  return lines;
}

std::optional<double> number(const std::string& cell) {
  return cell.empty() ? std::nullopt : std::optional(std::stod(cell));
}

std::vector<PublishedLadder> read_ladders() {
  const auto ladder = [](const char* name, const char* title, const char* by = "",
                         const char* device = "") {
    return PublishedLadder{name, title, by, device, {}};
  };
  std::vector<PublishedLadder> ladders = {
      ladder("sc19", "SC19 tutorial: a baseline and eight steps in OpenACC", "Yang 2019", "V100"),
      ladder("arxiv", "arXiv:2008.11326: a baseline and eight steps in OpenACC", "Yang 2020",
             "V100"),
      ladder("sc20", "SC20: BerkeleyGW on Summit, eight kernels", "Del Ben et al. 2020, Yang 2021",
             "V100"),
      ladder("tutorial", "Tutorial repository: a baseline and four patches in OpenACC",
             "NERSC 2020", "V100"),
      ladder("between", "Our own v8 to v11, with each idea on its own"),
      ladder("tried", "Ideas of our own that became no step")};
  for (auto& row : published_rows("ladders.csv"))
    for (PublishedLadder& one : ladders)
      if (one.name == row["ladder"])
        one.steps.push_back({row["label"], row["variant"], row["change"], row["over"], std::nullopt,
                             number(row["gain"]), number(row["speedup"]),
                             number(row["percent_of_peak"]), row["told"], row["ours"]});
  std::vector<LadderStep>& sc19 = ladders.front().steps;
  for (LadderStep& step : sc19) {
    if (const PublishedStep* timed = published_v100().find(step.variant))
      step.seconds = timed->seconds;
    step.speedup = *sc19.front().seconds / *step.seconds;
    if (const LadderStep* before = ladders.front().changed_by(step))
      step.gain = *before->seconds / *step.seconds;
  }
  return ladders;
}

}  // namespace

std::vector<std::map<std::string, std::string>> published_rows(const std::string& name) {
  const std::string path = std::string(folder) + name;
  const auto files = embedded::gpp_published();
  const auto file = std::find_if(files.begin(), files.end(),
                                 [&path](const embedded::File& one) { return one.path == path; });
  if (file == files.end()) throw std::logic_error("the program was built without " + path);
  std::vector<std::map<std::string, std::string>> rows;
  std::vector<std::string> header;
  roofline::CsvReader reader(file->text, path);
  while (!reader.at_end()) {
    if (reader.next_line().empty() || reader.next_line().front() == '#') {
      reader.skip_line();
      continue;
    }
    const std::vector<std::string> row = reader.row().cells;
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

const Published& published_v100() {
  static const Published published = {
      .device = "V100",
      .title = "V100, OpenACC, gpp214 (SC19)",
      .legend = "published speedup over v1 (SC19, OpenACC, gpp214)",
      .source = "SC19 tutorial, “Case Study: Roofline Analysis on GPUs”",
      .terms = static_cast<double>(gpp214_terms),
      .steps = read_published(),
      .lines = read_lines(),
      .lines_label = "SC19"};
  return published;
}

const std::vector<PublishedLadder>& published_ladders() {
  static const std::vector<PublishedLadder> ladders = read_ladders();
  return ladders;
}

}  // namespace gpp
