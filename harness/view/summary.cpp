#include "harness/view/summary.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <map>

#include "harness/record/derive.h"
#include "harness/view/columns.h"
#include "harness/view/ladder.h"
#include "harness/view/scaling.h"
#include "roofline/base/terminal.h"
#include "roofline/base/units.h"
#include "roofline/base/visible.h"
#include "roofline/points.h"
#include "roofline/view/roofs_table.h"

namespace gpp {
namespace {

using roofline::Table;
using Rows = std::vector<ShownRow>;
using Names = std::vector<std::string>;

// ---- One table ----------------------------------------------------------------------------------

/// Explains the columns by their notes, those of equal titles or notes once.
std::string legend(const Table& table) {
  std::vector<std::pair<std::string, std::string>> told;  // titles by note
  for (const roofline::TableColumn& column : table.columns) {
    if (column.note.empty()) continue;
    const auto same =
        std::ranges::find(told, column.note, [](const auto& one) { return one.second; });
    if (same == told.end())
      told.emplace_back(column.title, column.note);
    else if (!same->first.ends_with(column.title))
      same->first += ", " + column.title;
  }
  std::string text;
  for (auto& [title, note] : told) {
    title.erase(title.find_last_not_of(' ') + 1);
    const bool has_title = note.starts_with(title + ":");
    text += fmt::format("{}{}{}{}", text.empty() ? "" : " ", has_title ? "" : title + ": ", note,
                        note.ends_with('.') ? "" : ".");
  }
  return text.empty() ? "" : roofline::paragraph(text);
}

/// Caption, table, and legend; "" for a table without rows.
std::string shown_text(const Table& table, bool colours = false) {
  if (table.rows.empty()) return {};
  return fmt::format("\n{}\n{}\n{}", roofline::wrapped(table.caption, page_width, 0),
                     terminal_text(table, colours), legend(table));
}

/// The table of the screen.
std::string brief_table(const ShownResults& shown, const Rows& rows, bool colours) {
  if (rows.empty()) return {};
  const StudyRecord& study = rows.front().study();
  const bool ladder = !study.ladder.empty(),
             speedups = std::ranges::any_of(rows, [](const auto&row) {
               return speedup(row.study(), *row.result).has_value();
             });
  return terminal_text(table_of(shown, rows,
                                {"model", "variant", ladder ? "" : "step", "passed", "time",
                                 "spread", speedups ? "speedup" : "work_rate", "joules_of_work",
                                 "published", "of_roof", "bound_by"},
                                "results", "Results"),
                       colours) +
         roofline::paragraph(
             "time: median, +- half its 95% interval. of roof: of the nearest roof; bound by: that "
             "roof, or what else holds it back.") +
         marks(study);
}

/// The most important rows in their order: without the last ones that neither failed nor are the
/// first or the fastest of their model.
Rows rows_that_fit(const ShownResults& shown, std::size_t room) {
  Rows rows = shown.rows();
  std::set<const Result*> leading;
  for (const StudySeries& series : shown.series()) {
    leading.insert(series.rows.front().result);
    leading.insert(std::ranges::min_element(series.rows, {}, [](const ShownRow& row) {
                     const double seconds = row.result->timing().median;
                     return row.result->timed() ? seconds : 1e300;
                   })->result);
  }
  while (rows.size() > room) {
    const auto last = std::find_if(rows.rbegin(), rows.rend(), [&leading](const ShownRow& row) {
      return row.result->timed() && !leading.contains(row.result);
    });
    rows.erase(last == rows.rend() ? rows.end() - 1 : std::prev(last.base()));
  }
  return rows;
}

std::string headline(const StudyRecord& study) {
  const Kernel& kernel = kernel_of(study);
  std::set<std::string> devices;
  for (const Result& result : study.results)
    if (!result.device.empty())
      devices.insert(result.kind != "host"
                         ? result.device
                         : fmt::format("{} ({})", result.device, describe_threads(study)));
  std::string text = fmt::format("{} study of {}", kernel.title, input_name(study.input));
  if (kernel.describe_input != nullptr) text += ", " + kernel.describe_input(study.input);
  if (!devices.empty()) text += fmt::format(", on {}", fmt::join(devices, " and "));
  return roofline::paragraph(text) + "\n";
}

/// "Every check passed.", or what is wrong.
std::string verdict_on_checks(const StudyRecord& study, bool colours,
                              std::size_t most = std::numeric_limits<std::size_t>::max()) {
  if (const std::string wrong = faults(study, colours, most); !wrong.empty()) return "\n" + wrong;
  using enum roofline::Colour;
  return any_passed(study)
             ? roofline::coloured("Every check passed.", green, colours) + "\n"
             : "\n" + roofline::coloured("No variant ran: nothing was checked.", red, colours) +
                   "\n";
}

// ---- Everything ---------------------------------------------------------------------------------

using ReasonsOf = std::function<std::set<std::string>(const Result&)>;

/// What is told of some results, once for each reason: "not run: omp v1, omp v7: no device".
std::string by_reason(const StudyRecord& study, const char* what, const ReasonsOf& reasons_of) {
  std::map<std::string, Names> names;
  for (const Result& result : study.results)
    for (const std::string& reason : reasons_of(result))
      names[reason].push_back(model_label(result.model, result.kind) + " " + result.variant);
  names.erase("");
  std::string text;
  for (const auto& [reason, who] : names)
    text += roofline::paragraph(
        fmt::format("{}: {}: {}", what, fmt::join(who, ", "), roofline::visible(reason)), 2);
  return text;
}

/// What was not counted, not shown, or is doubtful.
std::string what_is_missing(const StudyRecord& study) {
  return by_reason(study, "no place on the roofline",
                   [&study](const Result& result) -> std::set<std::string> {
                     if (ceilings_of_kind(study, result.kind) == nullptr) return {};
                     return {why_no_place(study, result)};
                   }) +
         by_reason(study, "not counted by hardware",
                   [](const Result& result) -> std::set<std::string> {
                     if (result.kind != "gpu" || !result.timed()) return {};
                     return {result.counted.reason};
                   }) +
         by_reason(study, "not shown, as it has few of the operations",
                   [](const Result& result) {
                     std::set<std::string> precisions;
                     for (const roofline::RooflinePoint& point : result.rooflines)
                       if (!roofline::is_shown(point)) precisions.insert(point.precision);
                     return precisions;
                   }) +
         by_reason(study, "kinds of operations are counted on a part",
                   [](const Result& result) -> std::set<std::string> {
                     if (!result.counted.slice) return {};
                     return {result.counted.slice->part};
                   }) +
         by_reason(study, "energy not known",
                   [](const Result& result) -> std::set<std::string> {
                     return {result.energy ? result.energy->reason : ""};
                   }) +
         by_reason(study, "doubtful", defects_of);
}

/// Advice on each variant, followed by what to examine, once per cause.
std::string advice_text(const ShownResults& shown) {
  const std::string table = shown_text(
      table_of(shown, shown.timed(), {"model", "variant", "what", "shown_by", "also", "see"},
               "advice", "What to look at next"));
  std::vector<roofline::Advice> all;
  for (const ShownRow& row : shown.timed())
    if (const auto linked = advice_on(row);
        linked && linked->first.cause.binding != roofline::Binding::unknown)
      all.push_back(linked->advice);
  return table + looks_text(all, page_width);
}

/// What is known of the variants beside their times.
std::string evidence_text(const StudyRecord& study, const ShownResults& shown) {
  std::string text = shown_text(places_table(shown));
  for (const roofline::Ceilings& one : study.ceilings)
    text += shown_text(without_empty_columns(roofs_table(one, false)));
  text += what_is_missing(study);
  const auto add = [&](const char* caption, const Names& columns) {
    Names names = {"model", "variant"};
    names.insert(names.end(), columns.begin(), columns.end());
    text += shown_text(table_of(shown, shown.timed(), names, "evidence", caption));
  };
  add("Machine code: floating-point instructions of each variant, as the compiler made them",
      {"scalar", "128-bit", "256-bit", "512-bit", "divide", "root", "calls"});
  text += shown_text(kernels_table(shown)) + shown_text(instructions_table(shown));
  add("Schedulers", {"active_warps", "eligible_warps", "issued_warps", "no_eligible"});
  add("Memory; --counters all counts the last three",
      {"dram_rate", "l1_hit", "l2_hit", "mem_busy", "max_bandwidth", "mem_pipes_busy"});
  return text + advice_text(shown);
}

/// "!! FAILED: ..." between two bars, a paragraph each.
std::string banner(const Names& paragraphs, bool colours) {
  if (paragraphs.empty()) return {};
  const std::string bar(page_width, '!');
  std::string text = bar + "\n";
  for (const std::string& one : paragraphs) text += roofline::paragraph("!! " + one, 3);
  return roofline::coloured(text + bar, roofline::Colour::red, colours) + "\n";
}

}  // namespace

std::string faults(const StudyRecord& study, bool colours, std::size_t most) {
  Names told;
  if (!study.complete)
    told.push_back(fmt::format(
        "PARTIAL: this study was interrupted or killed, or is still under way. {} of {} variants "
        "were timed by then.",
        std::ranges::count_if(study.results, &Result::timed), study.results.size()));
  std::size_t failed = 0;
  Names failures;
  for (const Result& result : study.results)
    if (result.status == Status::failed && ++failed <= most)
      failures.push_back(
          fmt::format("{} {} {}: {}", result.model, result.variant, result.step, result.reason));
  if (failed > 0)
    told.push_back(fmt::format("FAILED: {} of {} variants", failed, study.results.size()));
  told.insert(told.end(), failures.begin(), failures.end());
  if (failed > most) told.push_back(fmt::format("and {} more", failed - most));
  if (!study.reference.disagreement.empty())
    told.push_back(fmt::format(
        "THE INPUT IS IN DOUBT: {}. Some of its numbers are damaged, or another program computed "
        "what it carries. Copy or generate it again. Variants are checked by a reference computed "
        "from this input.",
        study.reference.disagreement));
  return banner(told, colours);
}

std::set<std::string> defects_of(const Result& result) {
  std::set<std::string> defects(result.counted.defects.begin(), result.counted.defects.end());
  if (result.timed())
    for (const auto* points : {&result.rooflines, &result.instructions})
      for (const roofline::RooflinePoint& point : *points)
        defects.insert(point.defects.begin(), point.defects.end());
  return defects;
}

std::string marks(const StudyRecord& study) {
  int throttled = 0;
  bool power = false, disturbed = false;
  for (const Result& result : study.results) {
    if (!result.limited_by("power")) throttled += result.clocks.throttled;
    power = power || (result.timed() && result.limited_by("power"));
    disturbed = disturbed || (result.timed() && result.trusted().disturbed);
  }
  std::string text = power ? "P: the card's power cap held the clock back.\n" : "";
  if (throttled > 0)
    text += fmt::format("*: the clock fell more than {:.0f}% below the highest seen in {} runs.\n",
                        100 * throttle_threshold, throttled);
  if (disturbed)
    text += fmt::format(
        "disturbed: others took more than {:.0f}% of the device in too many of the runs.\n",
        100 * disturbed_threshold);
  return text;
}

std::string brief(const StudyRecord& study, bool colours) {
  constexpr std::size_t lines_after = 6;  // the findings, and the record's place
  constexpr std::size_t fewest_rows = 4, failures_told = 2;
  const std::string above = headline(study);
  std::string below;
  const auto missing = std::ranges::count(study.results, Status::unavailable, &Result::status);
  if (missing > 0)
    below +=
        fmt::format("{} variants do not run here: {} list tells why.\n", missing, program_name());
  if (std::ranges::any_of(study.results,
                          [](const Result& result) { return !defects_of(result).empty(); }))
    below += roofline::coloured("Some counts are doubtful: --details tells why.",
                                roofline::Colour::yellow, colours) +
             "\n";
  below += verdict_on_checks(study, colours, failures_told) + doubts(study, colours);
  const std::vector<NamedStudy> named = {{"", study}};
  const ShownResults shown(named);
  for (std::size_t room = shown.rows().size();; --room) {
    const std::size_t left = shown.rows().size() - room;
    const std::string text =
        above + brief_table(shown, rows_that_fit(shown, room), colours) +
        (left == 0 ? "" : fmt::format("And {} more variants: --details shows all.\n", left)) +
        below;
    if (room <= fewest_rows || std::ranges::count(text, '\n') + lines_after <= most_lines)
      return text;
  }
}

std::string brief_so_far(const StudyRecord& study) {
  const std::vector<NamedStudy> named = {{"", study}};
  const ShownResults shown(named);
  return brief_table(shown, shown.rows(), false);
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
          marks(study) + evidence_text(study, shown) + ladder_text(study, colours);
  if (const std::string scaling = scaling_text(study); !scaling.empty()) text += "\n" + scaling;
  text += by_reason(study, "not run", [](const Result& result) -> std::set<std::string> {
    return {result.status == Status::unavailable ? result.reason : ""};
  });
  if (kernel.remarks != nullptr) text += kernel.remarks(study);
  return text + verdict_on_checks(study, colours);
}

std::string side_by_side(const std::vector<NamedStudy>& studies, bool colours) {
  const ShownResults shown(studies);
  std::string text;
  for (const NamedStudy& named : studies)
    text += fmt::format("{}: {}, {}\n", named.name, named.study.created, named.study.input.path);
  text += shown_text(table_of(shown, shown.rows(),
                              {"model", "variant", "step", "machine", "passed", "time", "spread",
                               "work_rate", "speedup"},
                              "results", "Results"),
                     colours);
  for (const NamedStudy& named : studies)
    if (const std::string wrong = faults(named.study, colours) + doubts(named.study, colours);
        !wrong.empty())
      text += fmt::format("\n{}:\n{}", named.name, wrong);
  return text;
}

}  // namespace gpp
