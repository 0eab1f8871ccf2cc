#include "roofline/page/shared.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "roofline/base/units.h"
#include "roofline/metrics.h"
#include "roofline/view/lines.h"

namespace roofline::page {

Html roofline_switches(const std::vector<const RooflineChart*>& charts,
                       const std::string& leading) {
  std::vector<Choice> models, levels;
  bool theoretical = false;
  const auto add = [](std::vector<Choice>& choices, const std::string& key,
                      const std::string& label) {
    if (std::ranges::find(choices, key, &Choice::key) == choices.end())
      choices.push_back({key, label});
  };
  for (const RooflineChart* chart : charts) {
    add(models, chart->model.name, chart->model.title);
    for (const std::string& level : chart->levels) add(levels, level, level_label(*chart, level));
    theoretical |= chart->any_theoretical();
  }
  std::ranges::stable_sort(levels, is_nearer, &Choice::key);
  return one_of("precision", "Operations", models, leading) + some_of("level", "Levels", levels) +
         (theoretical ? on_or_off("theoretical", "Theoretical roofs", true) : Html());
}

Html instructions_section(const std::string& id, const std::string& what, const Html& blocks) {
  return section(
      id, "The instruction rooflines",
      fmt::format("Warp instructions per second of each {}, over its instructions per transaction "
                  "of memory. A marker leaves out lanes that were switched off; the dash above it "
                  "has them. Thin flat roofs are units with fewer instructions per cycle than the "
                  "schedulers issue. A wall is the intensity of one pattern of access: loads and "
                  "stores left of the wall of unit stride, or of no conflict, move more than they "
                  "use.",
                  what),
      blocks);
}

namespace {

constexpr std::size_t most_hottest = 5, longest_line = 200;
const TableLook look{.heat = "share", .style = "lines"};

/// A stall's description without the words about a rate, because samples are not per instruction.
std::string reason_meaning(const std::string& name) {
  // The metric has different names among CUPTI's samples and its counters.
  const auto* metric =
      find_metric("stall_" + (name == "no_instructions" ? "no_instruction" : name));
  if (metric == nullptr) return {};
  static const std::string head = "Warps of a scheduler that waited, for each instruction issued, ";
  std::string text = metric->meaning;
  if (text.starts_with(head)) text.erase(0, head.size());
  return text;
}

/// On a page the source stands before what is told of it, because narrow screens show the first
/// columns alone.
Table source_first(Table table) {
  const auto move = [](auto& cells) {
    std::rotate(cells.begin() + 2, cells.end() - 1, cells.end());
  };
  move(table.columns);
  for (TableRow& row : table.rows) move(row.cells);
  return without_empty_columns(std::move(table));
}

/// The hottest lines, then those with evidence of each file.
Html source_of(const ShownLines& shown) {
  const LinesRecord& record = *shown.record;
  Html blocks = element("h3", {{"id", "source-" + shown.key}}, shown.title) +
                paragraph(fmt::format("{}", fmt::join(measured_how(record), " ")), "small");
  if (!record.lost.empty()) blocks += notice("Missing or doubtful:", record.lost);
  if (const Table lines = hottest_table(record, most_hottest, longest_line); !lines.rows.empty())
    blocks += heading(4, "The hottest lines, and what was inlined there") +
              table(source_first(lines), look);
  const std::set<std::string> callers = calling_files(record);
  for (const std::string& path : files_of(record)) {
    const Table lines = file_table(record, path, longest_line, false);
    if (lines.rows.empty()) continue;
    double share = 0;
    for (const TableRow& row : lines.rows)
      if (std::isfinite(row.cells[1].key)) share += row.cells[1].key;
    blocks += folded(code(path.empty() ? "code without a line" : path) + " " + percent_text(share),
                     table(source_first(lines), look), "file", callers.contains(path));
  }
  Tags tags = shown.tags;
  tags.emplace_back("source", shown.key);
  return with_tags(blocks, tags);
}

}  // namespace

Html source(const std::vector<ShownLines>& all) {
  Html blocks;
  std::set<std::string> reasons;
  for (const ShownLines& shown : all) {
    blocks += source_of(shown);
    for (const auto& [name, number] : total_stalls(shown.record->lines)) reasons.insert(name);
  }
  Pairs meanings;
  for (const std::string& name : reasons) meanings.emplace_back(name, reason_meaning(name));
  if (!meanings.empty()) blocks += folded("What the waits mean", facts(meanings), "small");
  return blocks;
}

}  // namespace roofline::page
