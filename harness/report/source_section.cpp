// The section with each variant's source, line by line with heat.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "harness/report/sections.h"
#include "roofline/page/page.h"

namespace gpp {
namespace {

namespace page = roofline::page;

std::vector<ShownRow> rows_with_lines(const ShownResults& shown) {
  std::vector<ShownRow> own = shown.timed();
  std::erase_if(own, [](const ShownRow& row) {
    return !row.result->lines || row.result->lines->lines.empty();
  });
  return own;
}

/// The command that measures missing lines of a GPU's variant; empty if all have lines.
Html lines_command(const ShownResults& shown) {
  for (const ShownRow& row : shown.timed())
    if (row.machine->kind == "gpu" && !row.result->lines)
      return page::notice(fmt::format("{} of {} has no evidence per source line: ",
                                      row.result->variant, row.model) +
                          page::code("gpp study --lines") + " records it for all variants.");
  return {};
}

}  // namespace

Html source_section(const ShownResults& shown) {
  const std::vector<ShownRow> own = rows_with_lines(shown);
  std::set<std::string> series;
  for (const ShownRow& row : own) series.insert(row.series());
  std::vector<page::ShownLines> variants;
  std::vector<page::Choice> choices;
  for (const ShownRow& row : own) {
    const std::string key = std::to_string(choices.size()), name = full_name(*row.result);
    const std::string titled = fmt::format("{}, {}", name, row.series_label());
    choices.push_back({key, series.size() > 1 ? titled : name, row.tags()});
    variants.push_back({&*row.result->lines, key, titled, row.tags()});
  }
  Html blocks = lines_command(shown);
  if (!own.empty())
    blocks = page::one_of("source", "Variant", choices, choices.back().key) +
             page::source(variants) + blocks;
  return page::section("source", "The source, line by line",
                       "Where a variant spends its time: the bar is a line’s share of the samples, "
                       "or of the warp instructions where nothing was sampled.",
                       blocks);
}

}  // namespace gpp
