#include "harness/view/columns.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "roofline/base/text.h"

namespace gpp {
namespace {

using roofline::Table;
namespace cell = roofline::cell;

/// Time, gain over the step that it changes, speedup over the first step.
void add_numbers(std::vector<roofline::TableCell>& cells, const StepNumbers& step, bool published) {
  const auto two_decimals = [](double value) { return fmt::format("{:.2f} s", value); };
  cells.push_back(published ? cell::number(step.seconds, two_decimals)
                            : cell::seconds(step.seconds));
  cells.push_back(cell::times(step.gain));
  cells.push_back(cell::times(step.speedup));
}

}  // namespace

std::vector<std::string> remarks_on(const LadderRow& row) {
  std::vector<std::string> remarks;
  const auto add = [&remarks](const char* what, const std::string& text) {
    if (!text.empty()) remarks.push_back(what + text);
  };
  add("changes ", row.step->over);
  add("published: ", row.step->told);
  add("taken for granted here: ", row.step->ours);
  add("", row.reason);
  return remarks;
}

Table ladder_table(const PublishedLadder& ladder, const LadderRun& run) {
  Table table{ladder.name, ladder.title, {{"step", "step"}}, {}, {}};
  if (run.model.empty()) table.columns.push_back({"variant", "variant"});
  table.columns.push_back({"change", "what changes"});
  for (const std::string& title :
       {ladder.device, std::string("gain"), std::string("all"), std::string("peak"),
        std::string("here"), std::string("gain"), std::string("all"), std::string("peak"),
        std::string("at equal clocks")})
    table.columns.push_back(
        {std::to_string(table.columns.size()), title, "", "", roofline::Align::right});
  table.columns.push_back({"holds", "holds"});
  for (const LadderRow& row : run.rows) {
    std::vector<roofline::TableCell> cells = {{row.step->label}};
    cells.front().link = "step-" + row.step->variant;
    if (run.model.empty()) cells.push_back({row.step->variant});
    cells.push_back({row.step->change});
    add_numbers(cells, row.published, true);
    cells.push_back(cell::percent(row.published.percent_of_peak, 0));
    add_numbers(cells, row.measured, false);
    cells.push_back(cell::percent(
        row.published.percent_of_peak ? row.measured.percent_of_peak : std::nullopt, 0));
    cells.push_back(cell::times(row.gain_in_cycles));
    cells.push_back({row.holds.empty() ? "-" : row.holds});
    const bool failed = row.result != nullptr && row.result->status == Status::failed;
    table.rows.push_back({cells, {}, failed ? "bad" : ""});
  }
  return without_empty_columns(std::move(table));
}

std::string ladder_text(const StudyRecord& study, bool colours) {
  const PublishedLadder* ladder = ladder_of(study);
  if (ladder == nullptr) return {};
  std::string head = fmt::format(
      "Ladder {}: {}. gain: over the step before, or the one that it changes; all: over the first.",
      ladder->name, title_and_source(*ladder));
  if (ladder->published())
    head +=
        " holds: yes within a third of the published effect or 3%; more, less: as published, only "
        "so; no: not seen.";
  std::string text = "\n" + roofline::paragraph(head);
  for (const LadderRun& run : ladder_runs(study)) {
    text += fmt::format("\nIn the model {}\n\n{}", model_label(run.model, run.kind),
                        terminal_text(ladder_table(*ladder, run), colours));
    for (const LadderRow& row : run.rows)
      if (!row.reason.empty()) text += roofline::paragraph(row.step->label + ": " + row.reason, 4);
  }
  return text;
}

}  // namespace gpp
