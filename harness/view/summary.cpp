#include "harness/view/summary.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <map>

#include "harness/view/columns.h"
#include "roofline/base/text.h"
#include "roofline/points.h"
#include "roofline/view/roofline_chart.h"

namespace gpp {
namespace {

using roofline::Table;
using Names = std::vector<std::string>;

constexpr std::size_t all_rows = std::numeric_limits<std::size_t>::max();

/// Explains the columns by their notes, neighbours with one note together.
std::string legend(const Table& table) {
  std::vector<std::pair<std::string, std::string>> told;  // titles and note
  for (const roofline::TableColumn& column : table.columns) {
    if (column.note.empty()) continue;
    const std::string title = column.title.substr(0, column.title.find_last_not_of(' ') + 1);
    if (!told.empty() && told.back().second == column.note)
      told.back().first += ", " + title;
    else
      told.emplace_back(title, column.note);
  }
  Names sentences;
  for (const auto& [titles, note] : told) sentences.push_back(titles + ": " + note + ".");
  return sentences.empty() ? "" : roofline::paragraph(fmt::format("{}", fmt::join(sentences, " ")));
}

/// Caption, table, and legend; "" for a table without rows.
std::string shown_text(const Table& table, bool colours = false) {
  if (table.rows.empty()) return {};
  return fmt::format("\n{}\n{}\n{}", roofline::wrapped(table.caption, page_width, 0),
                     terminal_text(table, colours), legend(table));
}

// ---- One screen ---------------------------------------------------------------------------------

/// The most important rows, in their order: failed ones and one's own, each model's first and
/// fastest ones, then those of the fastest model.
std::vector<ShownRow> rows_that_fit(const ShownResults& shown, std::size_t room) {
  const auto speed = [](const ShownRow& row) { return terms_per_second(row.study(), *row.result); };
  const std::vector<ShownRow>& rows = shown.rows();
  const auto best = std::ranges::max_element(rows, {}, speed);
  std::map<const Result*, int> rank;
  for (const StudySeries& series : shown.series())
    for (const ShownRow& row : series.rows) {
      const bool is_end = row.result == series.rows.front().result ||
                          row.result == std::ranges::max_element(series.rows, {}, speed)->result;
      const bool is_own = row.result->status == Status::failed || !row.result->sources.empty();
      rank[row.result] = is_own ? 0 : is_end ? 1 : row.series() == best->series() ? 2 : 3;
    }
  std::vector<ShownRow> kept = rows, fitting = rows;
  std::ranges::stable_sort(kept, {}, [&rank](const ShownRow& row) { return rank[row.result]; });
  kept.resize(std::min(room, kept.size()));
  std::erase_if(fitting, [&kept](const ShownRow& row) {
    return std::ranges::find(kept, row.result, &ShownRow::result) == kept.end();
  });
  return fitting;
}

/// The table of the screen, with so many rows at most.
std::string brief_table(const StudyRecord& study, const ShownResults& shown, bool colours,
                        std::size_t room = all_rows) {
  if (shown.rows().empty()) return {};
  const bool speedups = std::ranges::any_of(
      study.results, [&study](const Result& result) { return speedup(study, result).has_value(); });
  const Table table = table_of(
      shown, rows_that_fit(shown, room),
      {"model", "variant", study.ladder.empty() ? "step" : "", "passed", "time", "spread",
       speedups ? "speedup" : "work_rate", "joules_of_work", "published", "of_roof", "bound_by"},
      "results", "Results");
  return terminal_text(table, colours) +
         roofline::paragraph(
             "time: median, +- half its 95% interval. of roof: of the nearest roof; bound by: that "
             "roof, or what else holds it back.") +
         marks(study);
}

/// "Every check passed.", or what is wrong.
std::string verdict_on_checks(const StudyRecord& study, bool colours, bool all) {
  using enum roofline::Colour;
  if (const std::string wrong = faults(study, colours, all); !wrong.empty()) return "\n" + wrong;
  return any_passed(study)
             ? roofline::coloured("Every check passed.", green, colours) + "\n"
             : "\n" + roofline::coloured("No variant ran: nothing was checked.", red, colours) +
                   "\n";
}

// ---- Everything ---------------------------------------------------------------------------------

/// What to look at next, once for each cause, with the variants that it limits and the steps that
/// act on it.
std::string advice_text(const ShownResults& shown) {
  struct Told {
    std::string cause, next;
    Names who = {};
  };
  std::vector<Told> told;
  for (const ShownRow& row : shown.timed()) {
    const auto advice = advice_on(row.study(), *row.result);
    if (!advice || advice->causes.front().cause.binding == roofline::Binding::unknown) continue;
    const auto& [cause, step] = advice->causes.front();
    auto same = std::ranges::find(told, title_of(cause), &Told::cause);
    if (same == told.end()) same = told.insert(same, {title_of(cause), advice->next});
    same->who.push_back(fmt::format("{} {} ({}{})", row.model, row.result->variant, cause.evidence,
                                    step == nullptr ? "" : "; see " + step->id));
  }
  std::string text;
  for (const auto& [cause, next, who] : told)
    text += roofline::paragraph(
        roofline::visible(fmt::format("{}: {}. {}", cause, fmt::join(who, ", "), next)), 2);
  return text.empty() ? "" : "\nWhat to look at next\n" + text;
}

}  // namespace

std::string brief(const StudyRecord& study, bool colours) {
  constexpr std::size_t fewest_rows = 4;
  constexpr std::ptrdiff_t lines_after = 6;  // the finding, and the record's place
  std::string below;
  const auto missing = std::ranges::count(study.results, Status::unavailable, &Result::status);
  if (missing > 0)
    below =
        fmt::format("{} variants do not run here: {} list tells why.\n", missing, program_name());
  if (std::ranges::any_of(remarks_on_results(study),
                          [](const std::string& remark) { return remark.starts_with("doubtful"); }))
    below += roofline::coloured("Some counts are doubtful: --details tells why.",
                                roofline::Colour::yellow, colours) +
             "\n";
  below += verdict_on_checks(study, colours, false) + doubts(study, colours);
  const std::size_t all = study.results.size() - static_cast<std::size_t>(missing);
  const std::vector<NamedStudy> named = {{"", study}};
  const ShownResults shown(named);
  const auto with_rows = [&](std::size_t room) {
    return roofline::paragraph(headline_of(study)) + "\n" +
           brief_table(study, shown, colours, room) +
           (room < all ? fmt::format("And {} more variants: --details shows all.\n", all - room)
                       : "") +
           below;
  };
  std::size_t room = all;
  std::string text = with_rows(room);
  while (room > fewest_rows && std::ranges::count(text, '\n') + lines_after > most_lines)
    text = with_rows(--room);
  return text;
}

std::string brief_so_far(const StudyRecord& study) {
  const std::vector<NamedStudy> named = {{"", study}};
  return brief_table(study, ShownResults(named), false);
}

std::string summary(const StudyRecord& study, bool colours) {
  const std::vector<NamedStudy> named = {{"", study}};
  const ShownResults shown(named);
  const Kernel& kernel = kernel_of(study);
  std::string text = fmt::format("{} study of {}{}\n", kernel.title, study.created,
                                 study.complete ? "" : ", PARTIAL");
  for (const auto& [key, value] : facts_of(study))
    if (!value.empty())
      text += fmt::format("  {:<16}{}\n", key, roofline::wrapped(value, page_width, 18, 18));
  text += shown_text(table_of(shown, shown.rows(),
                              {"model", "variant", "step", "passed", "error", "own", "time",
                               "spread", "runs", "work_rate", "speedup", "in_cycles", "prepared",
                               "watts", "joules", "joules_of_work", "published"},
                              "results", "Results"),
                     colours) +
          marks(study) + shown_text(places_table(shown));
  for (const roofline::Ceilings& one : study.ceilings)
    text += shown_text(without_empty_columns(roofs_table(one, false)));
  text += shown_text(table_of(shown, shown.timed(),
                              {"model", "variant", "scalar", "128-bit", "256-bit", "512-bit",
                               "divide", "root", "calls"},
                              "code",
                              "Machine code: floating-point instructions of each variant, as the "
                              "compiler made them")) +
          shown_text(instructions_table(shown)) + advice_text(shown) + ladder_text(study, colours);
  if (const std::string scaling = scaling_text(study); !scaling.empty()) text += "\n" + scaling;
  for (const std::string& remark : remarks_on_results(study))
    text += roofline::paragraph(remark, 2);
  return text + verdict_on_checks(study, colours, true);
}

}  // namespace gpp
