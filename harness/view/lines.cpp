#include "harness/view/lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "harness/record/guide.h"
#include "roofline/base/table.h"
#include "roofline/base/units.h"
#include "roofline/base/visible.h"

namespace gpp {
namespace {

using roofline::Align;
using roofline::Events;
using roofline::LineGroup;
using roofline::place_text;
using roofline::recorded_source;
using roofline::share_cell;
using roofline::SourcePlace;
using roofline::Table;
using roofline::TableCell;
using roofline::top_reasons;
using roofline::trimmed_source;
using roofline::with_commas;

constexpr std::size_t brief_source_width = 56;

std::uint64_t all_samples(const LinesRecord& lines) {
  return roofline::sum_of(roofline::total_stalls(lines.lines));
}

double share_of(std::uint64_t part, std::uint64_t all) {
  return all == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(all);
}

/// The published lines of the given steps with the given role.
std::vector<PublishedLine> published_of(const Kernel& kernel, const LineRole& role,
                                        const std::vector<StepLines>& steps) {
  std::vector<PublishedLine> found;
  if (kernel.published == nullptr) return found;
  for (const PublishedLine& line : kernel.published().lines)
    if (line.role == role.name &&
        std::any_of(steps.begin(), steps.end(),
                    [&line](const StepLines& step) { return step.id == line.version; }))
      found.push_back(line);
  return found;
}

/// Returns "wait 47%, math_pipe_throttle 20%", and the total if it is not all samples.
std::string published_stalls(const PublishedLine& line) {
  if (line.stalls_of.empty()) return "";
  const bool of_all = line.stalls_of == "samples";
  const Events stalls(line.stalls.begin(), line.stalls.end());
  return top_reasons(stalls, of_all ? line.samples : line.not_issued) +
         (of_all ? "" : " of those not issued");
}

/// Adds a row of numbers and one with the source, because both together are too wide.
void add_line(Table& table, std::string whose, TableCell share, std::uint64_t samples,
              std::string stalls, const std::string& source) {
  table.rows.push_back(
      {{{std::move(whose)}, std::move(share), {with_commas(samples)}, {std::move(stalls)}}});
  table.rows.push_back({{{""}, {""}, {""}, {trimmed_source(source, brief_source_width)}}});
}

void add_published(const Kernel& kernel, const PublishedLine& line, Table& table) {
  add_line(table,
           fmt::format("{} {}, line {}", kernel.published().lines_label, line.version, line.line),
           {"-"}, line.samples, published_stalls(line), line.source);
}

/// Adds the samples of the step's own line.
void add_ours(const LineRole& role, const StepLines& step, Table& table) {
  const std::optional<RoleEvidence> found = evidence_of(role, *step.lines);
  if (!found) {
    table.rows.push_back({{{"ours " + step.id}, {"-"}, {"-"}, {"no sample on such a line"}}});
    return;
  }
  add_line(table, fmt::format("ours {}, {}", step.id, place_text(found->place, "")),
           share_cell(share_of(found->samples(), all_samples(*step.lines))), found->samples(),
           top_reasons(found->stalls, found->samples()), found->source);
}

}  // namespace

std::string hottest_in_brief(const LinesRecord& lines, std::size_t top) {
  if (!lines.has_samples()) return "Its lines were counted, but not sampled.\n";
  Table table{"lines",
              "Lines",
              {{"line", "line"},
               {"share", "samples", "", "%", Align::right},
               {"stalls", "stalls"},
               {"source", "source"}},
              {},
              {}};
  const std::uint64_t all = all_samples(lines);
  for (const LineGroup& group : roofline::by_variant_line(lines.lines))
    if (group.samples() > 0 && table.rows.size() < top)
      table.rows.push_back(
          {{{place_text(group.place, group.function)},
            share_cell(share_of(group.samples(), all)),
            {top_reasons(group.stalls, group.samples())},
            {trimmed_source(recorded_source(lines, group.place), brief_source_width)}}});
  return table.rows.empty() ? "Nothing is known of any line.\n" : terminal_text(table);
}

std::string lines_beside(const Kernel& kernel, const std::vector<StepLines>& steps) {
  std::string text;
  for (const LineRole& role : guide_of(kernel).roles) {
    const std::vector<PublishedLine> published = published_of(kernel, role, steps);
    if (published.empty()) continue;
    Table table{"lines_beside",
                role.title,
                {{"line", role.title},
                 {"share", "share", "", "%", Align::right},
                 {"samples", "samples", "", "", Align::right},
                 {"stalls", "stalls, source"}},
                {},
                {}};
    for (const StepLines& step : steps) {
      for (const PublishedLine& line : published)
        if (line.version == step.id) add_published(kernel, line, table);
      if (step.lines != nullptr && step.lines->has_samples()) add_ours(role, step, table);
    }
    if (!text.empty()) text += '\n';
    text += terminal_text(table);
  }
  return text;
}

}  // namespace gpp
