#include "harness/view/lines.h"

#include <fmt/format.h>

#include "roofline/base/table.h"
#include "roofline/base/units.h"

namespace gpp {
namespace {

using roofline::Align;
using roofline::Events;
using roofline::Table;
using roofline::TableCell;
using roofline::top_reasons;
using roofline::trimmed_source;

constexpr std::size_t brief_source_width = 56;

Table lines_table() {
  return {"lines",
          "Lines",
          {{"line", "line"},
           {"share", "share", "", "%", Align::right},
           {"samples", "samples", "", "", Align::right},
           {"stalls", "stalls"},
           {"source", "source"}},
          {},
          {}};
}

/// Adds the hottest lines of a variant, at most `top`.
void add_hottest(const LinesRecord& lines, std::size_t top, const std::string& whose,
                 Table& table) {
  const auto all = static_cast<double>(roofline::sum_of(roofline::total_stalls(lines.lines)));
  std::size_t added = 0;
  for (const roofline::LineGroup& group : roofline::by_variant_line(lines.lines))
    if (group.samples() > 0 && added++ < top)
      table.rows.push_back(
          {{{whose + place_text(group.place, group.function)},
            roofline::share_cell(static_cast<double>(group.samples()) / all),
            {roofline::with_commas(group.samples())},
            {top_reasons(group.stalls, group.samples())},
            {trimmed_source(recorded_source(lines, group.place), brief_source_width)}}});
}

void add_published(const Published& published, const PublishedLine& line, Table& table) {
  const bool of_all = line.stalls_of == "samples";
  const Events stalls(line.stalls.begin(), line.stalls.end());
  std::string reasons =
      line.stalls_of.empty() ? "" : top_reasons(stalls, of_all ? line.samples : line.not_issued);
  if (!of_all && !reasons.empty()) reasons += " of those not issued";
  table.rows.push_back(
      {{{fmt::format("{} {}, line {}", published.lines_label, line.version, line.line)},
        {"-"},
        {roofline::with_commas(line.samples)},
        {reasons},
        {trimmed_source(line.source, brief_source_width)}}});
}

}  // namespace

std::string hottest_in_brief(const LinesRecord& lines, std::size_t top) {
  if (!lines.has_samples()) return "Its lines were counted, but not sampled.\n";
  Table table = lines_table();
  add_hottest(lines, top, "", table);
  return table.rows.empty() ? "Nothing is known of any line.\n" : terminal_text(table);
}

std::string lines_beside(const Kernel& kernel, const std::vector<StepLines>& steps) {
  if (kernel.published == nullptr) return {};
  Table table = lines_table();
  for (const StepLines& step : steps) {
    const std::size_t before = table.rows.size();
    for (const PublishedLine& line : kernel.published().lines)
      if (line.version == step.id) add_published(kernel.published(), line, table);
    if (table.rows.size() > before && step.lines != nullptr)
      add_hottest(*step.lines, 1, "ours " + step.id + ", ", table);
  }
  return table.rows.empty() ? "" : terminal_text(table);
}

}  // namespace gpp
