#include "harness/view/summary.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
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

/// The most important rows, in their order: failed ones, each model's first and fastest ones, then
/// those of the fastest model.
std::vector<ShownRow> rows_that_fit(const ShownResults& shown, std::size_t room) {
  const auto seconds = [](const ShownRow& row) { return row.result->timing().median; };
  const std::vector<ShownRow> timed = shown.timed();
  const auto best = std::ranges::min_element(timed, {}, seconds);
  std::map<std::string, std::pair<const Result*, const Result*>> ends;  // of each model
  for (const ShownRow& row : timed) {
    auto& [first, fastest] = ends[row.model];
    if (first == nullptr) first = row.result;
    if (fastest == nullptr || seconds(row) < fastest->timing().median) fastest = row.result;
  }
  const auto rank = [&](const ShownRow& row) {
    const auto& [first, fastest] = ends[row.model];
    if (row.result->status == Status::failed) return 0;
    if (row.result == first || row.result == fastest) return 1;
    return best != timed.end() && row.model == best->model ? 2 : 3;
  };
  std::vector<ShownRow> kept = shown.rows(), fitting = shown.rows();
  std::ranges::stable_sort(kept, {}, rank);
  kept.resize(std::min(room, kept.size()));
  std::erase_if(fitting, [&kept](const ShownRow& row) {
    return std::ranges::find(kept, row.result, &ShownRow::result) == kept.end();
  });
  return fitting;
}

/// The table of the screen, with so many rows at most.
std::string brief_table(const StudyRecord& study, const ShownResults& shown, bool colours,
                        std::size_t room = std::numeric_limits<std::size_t>::max()) {
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

/// What did not run, was not counted or not shown, or is doubtful, once for each reason: "not run:
/// omp v1, omp v7: no device".
std::string remarks_on_results(const StudyRecord& study) {
  std::map<std::pair<std::string, std::string>, Names> names;
  for (const Result& result : study.results) {
    const auto add = [&](const char* what, const std::string& reason) {
      if (!reason.empty())
        names[{what, reason}].push_back(model_label(result.model, result.kind) + " " +
                                        result.variant);
    };
    if (result.status == Status::unavailable) add("not run", result.reason);
    if (ceilings_of_kind(study, result.kind) != nullptr)
      add("no place on the roofline", why_no_place(study, result));
    if (result.kind == "gpu" && result.timed())
      add("not counted by hardware", result.counted.reason);
    for (const roofline::RooflinePoint& point : result.rooflines)
      if (!roofline::is_shown(point)) add("few of the operations, not shown", point.precision);
    if (result.counted.slice)
      add("mix of operations counted on a part", result.counted.slice->part);
    if (result.energy) add("energy not known", result.energy->reason);
    for (const std::string& defect : defects_of(result)) add("doubtful", defect);
  }
  std::string text;
  for (const auto& [told, who] : names)
    text += roofline::paragraph(
        fmt::format("{}: {}: {}", told.first, fmt::join(who, ", "), roofline::visible(told.second)),
        2);
  return text;
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
  constexpr std::size_t failures_told = 2, fewest_rows = 4;
  constexpr std::ptrdiff_t lines_after = 6;  // the finding, and the record's place
  std::string below;
  const auto missing = std::ranges::count(study.results, Status::unavailable, &Result::status);
  if (missing > 0)
    below =
        fmt::format("{} variants do not run here: {} list tells why.\n", missing, program_name());
  if (std::ranges::any_of(study.results,
                          [](const Result& result) { return !defects_of(result).empty(); }))
    below += roofline::coloured("Some counts are doubtful: --details tells why.",
                                roofline::Colour::yellow, colours) +
             "\n";
  below += verdict_on_checks(study, colours, failures_told) + doubts(study, colours);
  const std::size_t all = study.results.size() - static_cast<std::size_t>(missing);
  const std::vector<NamedStudy> named = {{"", study}};
  const ShownResults shown(named);
  const auto with_rows = [&](std::size_t room) {
    return headline(study) + brief_table(study, shown, colours, room) +
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
          marks(study) + evidence_text(study, shown) + ladder_text(study, colours);
  if (const std::string scaling = scaling_text(study); !scaling.empty()) text += "\n" + scaling;
  text += remarks_on_results(study);
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
