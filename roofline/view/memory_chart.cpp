#include "roofline/view/memory_chart.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "roofline/base/terminal.h"
#include "roofline/base/units.h"

namespace roofline {
namespace {

MemoryFlow flow_of(const Level& level, double bytes, std::optional<double> seconds,
                   const Metrics& metrics, const ModelTable& table, const Ceilings* ceilings) {
  MemoryFlow flow{level.name, level.label, level.beside, bytes, {}, {}, {}, {}, {}};
  flow.meaning = table.find_metric(level.traffic)->meaning;
  flow.hit = metric_value(metrics, level.hit);
  if (seconds && *seconds > 0) flow.rate = bytes / *seconds;
  const Ceiling* roof = ceilings == nullptr ? nullptr : ceilings->find(level.roof);
  if (flow.rate && roof != nullptr && roof->measured > 0)
    flow.share = 100 * *flow.rate / roof->measured;
  for (const std::string& name : level.tells)
    if (const auto value = metric_value(metrics, name); value && *value > 0) {
      std::string what =
          name.starts_with(level.name + "_") ? name.substr(level.name.size() + 1) : name;
      std::ranges::replace(what, '_', ' ');
      flow.asked.push_back(fmt::format("{} {}", with_prefix(*value, ""), what));
    }
  return flow;
}

/// "Not counted: bytes of L3, hits of L1."; empty where nothing is missing.
std::string not_counted(const std::vector<std::string>& missing) {
  return missing.empty() ? "" : fmt::format("Not counted: {}.", fmt::join(missing, ", "));
}

TableCell value_cell(std::optional<double> value) {
  return value ? TableCell{fmt::format("{}", *value), *value} : TableCell{""};
}

/// "L2: 65.9% found in it".
std::string box_text(const MemoryFlow& flow) {
  return flow.hit ? fmt::format("{}: {}", flow.label, flow.hit_text()) : flow.label;
}

std::string arrow_text(const std::string& start, const MemoryFlow& flow) {
  constexpr std::size_t width = 100, indent = 8;
  return start +
         wrapped(fmt::format("{}", fmt::join(flow.texts(), ", ")), width, indent, start.size()) +
         "\n";
}

}  // namespace

std::vector<std::string> MemoryFlow::texts() const {
  std::vector<std::string> texts = {with_prefix(bytes, "B")};
  if (rate) texts.front() += ", " + with_prefix(*rate, "B/s");
  if (share) texts.push_back(percent_text(*share) + " of its roof");
  texts.insert(texts.end(), asked.begin(), asked.end());
  return texts;
}

std::string MemoryFlow::hit_text() const { return hit ? percent_text(*hit) + " found in it" : ""; }

std::optional<MemoryChart> memory_chart(const std::string& name, const Metrics& metrics,
                                        std::optional<double> seconds, const ModelTable& table,
                                        const Ceilings* ceilings, bool counted) {
  MemoryChart chart{name, {}, {}};
  std::vector<std::string> missing;
  std::ptrdiff_t on_the_way = 0;
  for (const Level& level : table.levels) {
    const auto bytes = metric_value(metrics, level.traffic);
    if (!bytes || *bytes < 0) {
      missing.push_back("bytes of " + level.label);
      continue;
    }
    chart.flows.push_back(flow_of(level, *bytes, seconds, metrics, table, ceilings));
    on_the_way += !level.beside;
    if (!level.hit.empty() && !chart.flows.back().hit) missing.push_back("hits of " + level.label);
  }
  if (on_the_way < 2) return std::nullopt;
  if (std::ranges::all_of(table.levels, &std::string::empty, &Level::hit))
    missing.push_back("hits");
  chart.notes.push_back(counted ? "Counted by hardware; reads and writes together."
                                : "Computed, not counted; reads and writes together.");
  if (const std::string text = not_counted(missing); !text.empty()) chart.notes.push_back(text);
  return chart;
}

std::string memory_text(const MemoryChart& chart) {
  std::string text = "  registers\n";
  for (const MemoryFlow& flow : chart.flows)
    if (flow.beside) text += arrow_text(fmt::format("    <-> {}: ", box_text(flow)), flow);
  for (const MemoryFlow& flow : chart.flows)
    if (!flow.beside) text += arrow_text("     |  ", flow) + "  " + box_text(flow) + "\n";
  for (const std::string& note : chart.notes) text += wrapped(note, 100, 0) + "\n";
  return text;
}

ViewTable memory_table(const std::vector<MemoryChart>& charts) {
  ViewTable table{"memory", "What moved between the levels of memory", {}, {}, {}};
  for (const char* name : {"name", "level", "bytes", "bytes_per_s", "of_roof", "hit"})
    table.columns.push_back({name, name});
  for (const MemoryChart& chart : charts)
    for (const MemoryFlow& flow : chart.flows)
      table.rows.push_back({{{chart.name},
                             {flow.level},
                             value_cell(flow.bytes),
                             value_cell(flow.rate),
                             value_cell(flow.share),
                             value_cell(flow.hit)}});
  return table;
}

}  // namespace roofline
