#include "harness/show/ladder_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/record/ladder.h"
#include "roofline/base/table.h"
#include "roofline/base/terminal.h"
#include "roofline/base/units.h"

namespace gpp {
namespace {

constexpr std::size_t page_width = 100;

std::string times(std::optional<double> factor) {
  return factor ? fmt::format("{:.2f}x", *factor) : "-";
}

/// Published times have two decimals, and no more.
std::string seconds_cell(std::optional<double> seconds, bool published) {
  if (!seconds) return "-";
  return published ? fmt::format("{:.2f} s", *seconds) : roofline::describe_seconds(*seconds);
}

/// "of peak" cells stand only where a step has one published.
bool tells_peaks(const LadderRun& run) {
  return std::any_of(run.rows.begin(), run.rows.end(), [](const LadderRow& row) {
    return row.published.percent_of_peak.has_value();
  });
}

std::string percent(std::optional<double> value) {
  return value ? fmt::format("{:.0f}%", *value) : "-";
}

std::vector<std::string> cells_of(const StepNumbers& numbers, bool published, bool peaks) {
  std::vector<std::string> cells = {seconds_cell(numbers.seconds, published), times(numbers.gain),
                                    times(numbers.speedup)};
  if (peaks) cells.push_back(percent(numbers.percent_of_peak));
  return cells;
}

roofline::Table table_of(const PublishedLadder& ladder, const LadderRun& run, bool colours) {
  using enum roofline::Table::Align;
  const bool peaks = tells_peaks(run);
  std::vector<roofline::Table::Column> columns = {{"step", left}, {"what changes", left}};
  for (const std::string& whose : {ladder.device, std::string("here")}) {
    for (const std::string& title : {whose, std::string("gain"), std::string("all")})
      columns.push_back({title, right});
    if (peaks) columns.push_back({"peak", right});
  }
  columns.push_back({"holds", left});
  roofline::Table table(columns);
  for (const LadderRow& row : run.rows) {
    std::vector<std::string> cells = {row.step->label, row.step->change};
    for (const StepNumbers* numbers : {&row.published, &row.measured})
      for (const std::string& cell : cells_of(*numbers, numbers == &row.published, peaks))
        cells.push_back(cell);
    cells.push_back(name_of(row.holds));
    const bool failed = row.result != nullptr && row.result->status == Status::failed;
    table.add(cells, [failed, colours](const std::string& line) {
      return failed ? roofline::coloured(line, roofline::Colour::red, colours) : line;
    });
  }
  return table;
}

/// What the table cannot say of each step: words, assumptions, missing numbers.
std::string notes(const LadderRun& run) {
  std::string text;
  const auto line = [&text](const LadderRow& row, const std::string& what) {
    text += roofline::wrapped(fmt::format("{}: {}", row.step->label, what), page_width, 4) + "\n";
  };
  for (const LadderRow& row : run.rows) {
    if (!row.step->told.empty()) line(row, "published: " + row.step->told);
    if (!row.step->ours.empty()) line(row, "taken for granted here: " + row.step->ours);
    if (!row.reason.empty()) line(row, row.reason);
  }
  return text;
}

constexpr const char* legend =
    "gain: over the step before, or the one that it changes. all: over the first step. holds: yes "
    "within half of the published effect or 3%; more, less: as published, only so; no: not seen.";

}  // namespace

std::string ladder_tables(const StudyRecord& study, bool colours) {
  const PublishedLadder* ladder = ladder_of(study);
  if (ladder == nullptr) return {};
  const std::string title =
      fmt::format("Ladder {}: {} ({})", ladder->name, ladder->title, ladder->source);
  std::string text = fmt::format("\n{}\n", roofline::wrapped(title, page_width, 2));
  for (const LadderRun& run : ladder_runs(study))
    text += fmt::format("\nIn the model {}\n\n{}\n{}\n", model_label(run.model, run.kind),
                        table_of(*ladder, run, colours).text(), notes(run));
  return text + roofline::wrapped(legend, page_width, 0) + "\n";
}

}  // namespace gpp
