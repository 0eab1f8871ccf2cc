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

LadderColumn words(const char* name, const char* title, std::string (*text)(const LadderRow&)) {
  return {{name, title}, [text](const LadderRow& row) { return TableCell{text(row)}; }};
}

/// Adds time, gain and speedup, and the share of the peak if a step has a published one.
void add_numbers(std::vector<LadderColumn>& columns, const std::string& title, bool published,
                 bool peaks) {
  const auto numbers = [published](const LadderRow& row) -> const StepNumbers& {
    return published ? row.published : row.measured;
  };
  const auto add = [&](const char* name, const std::string& head, auto text) {
    columns.push_back({{fmt::format("{}_{}", published ? "published" : "measured", name), head, "",
                        "", Align::right},
                       [numbers, text](const LadderRow& row) { return text(numbers(row)); }});
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

std::string label_of(const LadderRow& row) { return row.step->label; }
std::string variant_of(const LadderRow& row) { return row.step->variant; }
std::string change_of(const LadderRow& row) { return row.step->change; }
std::string holds_of(const LadderRow& row) { return name_of(row.holds); }

std::string legend_of(const PublishedLadder& ladder) {
  std::string text =
      "gain: over the step before, or the one that it changes. all: over the first step. Both are "
      "by "
      "time.";
  if (ladder.published())
    text +=
        " So is holds: yes within a third of the published effect or 3%; more, less: as published, "
        "only so; no: not seen.";
  return text;
}

}  // namespace

std::vector<std::string> remarks_on(const LadderRow& row) {
  std::vector<std::string> remarks;
  if (!row.step->over.empty()) remarks.push_back("changes " + row.step->over);
  if (!row.step->told.empty()) remarks.push_back("published: " + row.step->told);
  if (!row.step->ours.empty()) remarks.push_back("taken for granted here: " + row.step->ours);
  if (!row.reason.empty()) remarks.push_back(row.reason);
  if (row.gain_in_cycles)
    remarks.push_back(
        fmt::format("the gain at an equal clock is {}", roofline::times_text(*row.gain_in_cycles)));
  return remarks;
}

Table ladder_table(const PublishedLadder& ladder, const LadderRun& run) {
  const bool measured = !run.model.empty(),
             peaks = std::ranges::any_of(run.rows, [](const LadderRow&row) {
               return row.published.percent_of_peak.has_value();
             });
  std::vector<LadderColumn> columns = {words("step", "step", label_of),
                                       words("change", "what changes", change_of)};
  if (!measured) columns.insert(columns.begin() + 1, words("variant", "variant", variant_of));
  if (ladder.published()) add_numbers(columns, ladder.device, true, peaks);
  if (measured) add_numbers(columns, "here", false, peaks);
  if (measured && ladder.published()) columns.push_back(words("holds", "holds", holds_of));
  Table table = roofline::table_of(columns, run.rows, {ladder.name, ladder.title, {}, {}, {}});
  for (std::size_t i = 0; i < run.rows.size(); ++i) {
    table.rows[i].cells[0].link = "step-" + run.rows[i].step->variant;
    if (run.rows[i].result != nullptr && run.rows[i].result->status == Status::failed)
      table.rows[i].tone = "bad";
  }
  return measured ? table : without_empty_columns(std::move(table));
}

std::string ladder_text(const StudyRecord& study, bool colours) {
  const PublishedLadder* ladder = ladder_of(study);
  if (ladder == nullptr) return {};
  const std::string title = fmt::format("Ladder {}: {}", ladder->name, title_and_source(*ladder));
  std::string text = fmt::format("\n{}\n", roofline::wrapped(title, page_width, 2));
  for (const LadderRun& run : ladder_runs(study)) {
    text += fmt::format("\nIn the model {}\n\n{}\n", model_label(run.model, run.kind),
                        terminal_text(ladder_table(*ladder, run), colours));
    for (const LadderRow& row : run.rows)
      for (const std::string& remark : remarks_on(row))
        text += roofline::paragraph(label_of(row) + ": " + remark, 4);
    text += "\n";
  }
  return text + roofline::paragraph(legend_of(*ladder));
}

}  // namespace gpp
