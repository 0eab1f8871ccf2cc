#include "harness/view/ladder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "harness/view/rows.h"
#include "roofline/base/terminal.h"
#include "roofline/base/units.h"

namespace gpp {
namespace {

using roofline::Align;
using roofline::Table;
using roofline::TableCell;
namespace cell = roofline::cell;
using LadderColumn = roofline::ColumnOf<LadderRow>;

/// Published times have two decimals.
TableCell published_seconds(std::optional<double> seconds) {
  return cell::number(seconds, [](double value) { return fmt::format("{:.2f} s", value); });
}

LadderColumn words(const char* name, const char* title, std::string LadderStep::*text) {
  return {{name, title}, [text](const LadderRow& row) { return TableCell{row.step->*text}; }};
}

/// Adds time, gain and speedup, and the share of the peak if a step has a published one.
void add_numbers(std::vector<LadderColumn>& columns, const std::string& title, bool published,
                 bool peaks) {
  const auto add = [&](const char* name, const std::string& head, auto text) {
    columns.push_back({{fmt::format("{}_{}", published ? "published" : "measured", name), head, "",
                        "", Align::right},
                       [published, text](const LadderRow& row) {
                         return text(published ? row.published : row.measured);
                       }});
  };
  add("time", title, [published](const StepNumbers& step) {
    return published ? published_seconds(step.seconds) : cell::seconds(step.seconds);
  });
  add("gain", "gain", [](const StepNumbers& step) { return cell::times(step.gain); });
  add("speedup", "all", [](const StepNumbers& step) { return cell::times(step.speedup); });
  if (peaks)
    add("peak", "peak",
        [](const StepNumbers& step) { return cell::percent(step.percent_of_peak, 0); });
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
  const bool measured = !run.model.empty(),
             peaks = std::ranges::any_of(run.rows, [](const LadderRow&row) {
               return row.published.percent_of_peak.has_value();
             });
  std::vector<LadderColumn> columns = {words("step", "step", &LadderStep::label),
                                       words("change", "what changes", &LadderStep::change)};
  if (!measured)
    columns.insert(columns.begin() + 1, words("variant", "variant", &LadderStep::variant));
  if (ladder.published()) add_numbers(columns, ladder.device, true, peaks);
  if (measured) add_numbers(columns, "here", false, peaks);
  if (measured)
    columns.push_back({{"in_cycles", "at equal clocks", "", "", Align::right},
                       [](const LadderRow& row) { return cell::times(row.gain_in_cycles); }});
  if (measured && ladder.published())
    columns.push_back({{"holds", "holds"}, [](const LadderRow& row) {
                         return TableCell{row.holds.empty() ? "-" : row.holds};
                       }});
  Table table = roofline::table_of(columns, run.rows, {ladder.name, ladder.title, {}, {}, {}});
  for (std::size_t i = 0; i < run.rows.size(); ++i) {
    table.rows[i].cells[0].link = "step-" + run.rows[i].step->variant;
    if (run.rows[i].result != nullptr && run.rows[i].result->status == Status::failed)
      table.rows[i].tone = "bad";
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
