// The section with each variant's source, line by line with heat.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "harness/report/sections.h"
#include "harness/view/series.h"
#include "roofline/page/source.h"

namespace gpp {
namespace {

namespace page = roofline::page;

/// The variant's file; empty if this program does not have it.
std::string file_of(const ShownRow& row) {
  for (const Variant& variant : kernel_of(row.study()).catalog())
    if (variant.id == row.result->variant && variant.model == row.result->model)
      return variant.source;
  return {};
}

page::ShownLines lines_of(const ShownRow& row, const std::string& key) {
  return {&*row.result->lines, key,
          fmt::format("{}, {}", full_name(*row.result), row.series_label()), file_of(row),
          row.tags()};
}

std::vector<const ShownRow*> rows_with_lines(const ShownResults& shown) {
  std::vector<const ShownRow*> own;
  for (const ShownRow& row : shown.rows())
    if (row.result->timed() && row.result->lines && !row.result->lines->lines.empty())
      own.push_back(&row);
  return own;
}

/// The command that measures missing lines of a GPU's variant; null if all have lines.
PageJson lines_command(const ShownResults& shown, bool any) {
  for (const ShownRow& row : shown.rows()) {
    if (!row.result->timed() || row.machine->kind != "gpu" || row.result->lines) continue;
    const std::string& variant = row.result->variant;
    const PageJson words = {any ? "Other variants have no evidence per source line yet: "
                                : "No variant has evidence per source line yet: ",
                            page::code(fmt::format("gpp lines {} --into FOLDER", variant)),
                            fmt::format(" adds that of {} to the record in FOLDER.", variant)};
    return any ? page::text(words, "small") : page::notice(words);
  }
  return nullptr;
}

}  // namespace

std::string hottest_line_link(const ShownResults& shown, const ShownRow& row) {
  const std::vector<const ShownRow*> own = rows_with_lines(shown);
  const auto found = std::find(own.begin(), own.end(), &row);
  if (found == own.end()) return {};
  return page::hottest_line_link(lines_of(row, std::to_string(found - own.begin())));
}

PageJson source_section(PageParts& parts) {
  const std::vector<const ShownRow*> own = rows_with_lines(parts.shown);
  PageJson command = lines_command(parts.shown, !own.empty());
  if (own.empty())
    return command.is_null() ? PageJson()
                             : page::section("source", page::source_title, "", {command});
  std::set<std::string> series;
  for (const ShownRow* row : own) series.insert(row->series());
  std::vector<page::ShownLines> variants;
  PageJson blocks = PageJson::array();
  std::vector<page::Choice> choices;
  for (const ShownRow* row : own) {
    const std::string key = std::to_string(choices.size());
    const std::string of = parts.shown.machines().size() > 1 ? row->series_label() : row->model;
    const std::string name = full_name(*row->result);
    choices.push_back({key, series.size() > 1 ? name + ", " + of : name, row->tags()});
    variants.push_back(lines_of(*row, key));
  }
  parts.switches["source"] = page::one_of("Variant", choices, choices.back().key);
  if (choices.size() > 1) blocks.push_back(page::switch_place("source"));
  blocks.push_back(page::source(variants));
  page::add(blocks, std::move(command));
  return page::section(
      "source", page::source_title,
      "Where a variant spends its time: the bar is the line’s share of the samples, or of the warp "
      "instructions where nothing was sampled. Pointing at a line tells what its warps waited for; "
      "a click, or the arrow keys, keep it.",
      blocks);
}

}  // namespace gpp
