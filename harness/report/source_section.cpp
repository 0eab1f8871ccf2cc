// The section with each variant's source, line by line with heat.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "harness/report/sections.h"
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

std::vector<ShownRow> rows_with_lines(const ShownResults& shown) {
  std::vector<ShownRow> own = shown.timed();
  std::erase_if(own, [](const ShownRow& row) {
    return !row.result->lines || row.result->lines->lines.empty();
  });
  return own;
}

/// The command that measures missing lines of a GPU's variant; empty if all have lines.
Html lines_command(const ShownResults& shown, bool any) {
  for (const ShownRow& row : shown.rows()) {
    if (!row.result->timed() || row.machine->kind != "gpu" || row.result->lines) continue;
    const Html words = Html(any ? row.result->variant + " has no" : std::string("No variant has")) +
                       " evidence per source line yet: " + page::code("gpp study --lines") +
                       " records it for all variants.";
    return any ? page::paragraph(words, "small") : page::notice(words);
  }
  return {};
}

}  // namespace

std::string hottest_line_link(const ShownResults& shown, const ShownRow& row) {
  const std::vector<ShownRow> own = rows_with_lines(shown);
  const auto found = std::ranges::find(own, row.result, &ShownRow::result);
  if (found == own.end()) return {};
  return page::hottest_line_link(lines_of(row, std::to_string(found - own.begin())));
}

Html source_section(const ShownResults& shown) {
  const std::vector<ShownRow> own = rows_with_lines(shown);
  const Html command = lines_command(shown, !own.empty());
  if (own.empty())
    return command.empty() ? Html() : page::section("source", page::source_title, "", command);
  std::set<std::string> series;
  for (const ShownRow& row : own) series.insert(row.series());
  std::vector<page::ShownLines> variants;
  std::vector<page::Choice> choices;
  for (const ShownRow& row : own) {
    const std::string key = std::to_string(choices.size());
    const std::string of = row.machine->alone ? row.model : row.series_label();
    const std::string name = full_name(*row.result);
    choices.push_back({key, series.size() > 1 ? name + ", " + of : name, row.tags()});
    variants.push_back(lines_of(row, key));
  }
  return page::section(
      "source", page::source_title,
      "Where a variant spends its time: the bar is the line’s share of the samples, or of the warp "
      "instructions where nothing was sampled. A click on a warm line tells what its warps waited "
      "for.",
      page::one_of("source", "Variant", choices, choices.back().key) + page::source(variants) +
          command);
}

}  // namespace gpp
