// What is known of the variants beside their times, for the whole summary.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string_view>

#include "harness/record/derive.h"
#include "harness/view/columns.h"
#include "harness/view/summary.h"
#include "roofline/base/terminal.h"
#include "roofline/base/units.h"
#include "roofline/instruction_table.h"
#include "roofline/points.h"

namespace gpp {
namespace {

using roofline::RooflinePoint;
using roofline::Table;
using Rows = std::vector<ShownRow>;

/// Caption, table, and legend; "" for a table without rows.
std::string with_legend(const Table& table, const std::string& legend) {
  if (table.rows.empty() || table.columns.empty()) return {};
  return "\n" + table.caption + "\n" + terminal_text(table) + "\n" + roofline::paragraph(legend);
}

std::string label_of(const ShownRow& row) { return row.model + " " + row.result->variant; }

// ---- Places under the roofs ---------------------------------------------------------------------

bool has_level(const Rows& places, std::string_view level) {
  return std::ranges::any_of(places, [level](const ShownRow& row) {
    return roofline::intensity_at(row.point, level).has_value();
  });
}

/// The roofs that points were compared with: "roofs of NVIDIA H200: FP64, FMA 33.43 TFLOP/s; ...".
std::string roofs(const ShownResults& shown, const Rows& places) {
  std::string text;
  for (const ShownMachine& machine : shown.machines()) {
    Rows own;
    std::ranges::copy_if(places, std::back_inserter(own),
                         [&](const ShownRow& row) { return row.machine == &machine; });
    if (machine.ceilings == nullptr || own.empty()) continue;
    std::vector<std::string> names;
    for (const roofline::Model& model : roofline::table_of(machine.kind).models)
      if (std::ranges::any_of(
              own, [&](const ShownRow& row) { return row.point->precision == model.name; }))
        names.push_back(model.peak);
    for (const char* level : {"l1", "shared", "l2", "l3", "dram"})
      if (level != std::string_view("shared") || has_level(own, level)) names.emplace_back(level);
    std::string line = fmt::format("roofs of {}:", machine.device);
    for (const std::string& name : names)
      if (const roofline::Ceiling* ceiling = machine.ceilings->find(name))
        line +=
            fmt::format("{} {} {}", line.back() == ':' ? "" : ";", ceiling->label,
                        roofline::describe_rate(ceiling->measured, roofline::rate_unit(*ceiling)));
    text += roofline::paragraph(line, 2);
  }
  return text;
}

std::string legend(const Rows& places) {
  const auto any = [&places](auto is) {
    return std::ranges::any_of(places, [&is](const ShownRow& row) { return is(*row.point); });
  };
  const bool moves = any(roofline::only_moves),
             computes = !std::ranges::all_of(
                 places, [](const ShownRow&row) { return roofline::only_moves(*row.point); });
  std::string text;
  if (any([](const RooflinePoint& point) { return !point.analytic; }))
    text += "*: counted by hardware.\n";
  if (any([](const RooflinePoint& point) { return point.analytic; }))
    text += roofline::paragraph(fmt::format(
        "o: computed from the source and the input: {}bytes of DRAM as each array once.",
        computes ? "FLOPs, bytes of L1 as loops load, " : ""));
  std::string columns =
      "of roof: of the lowest roof of all levels. bound by: that roof, where half of it or of the "
      "pipe was used; else latency, scalar code or division, where that is known.";
  if (computes) columns += " L1, L2, L3, DRAM: FLOP per byte.";
  if (moves)
    columns +=
        " BYTES: no operation is done. speed: bytes of DRAM per second. peak: the roof of DRAM. "
        "L1, L2, L3, DRAM: bytes of DRAM per byte.";
  if (std::ranges::any_of(places, [](const ShownRow& row) {
        return roofline::top_stall(row.metrics()).has_value();
      }))
    columns += " top stall: warps per issue.";
  return text + roofline::paragraph(columns);
}

std::string places_text(const ShownResults& shown) {
  const Rows places = shown.places();
  if (places.empty()) return {};
  return "\nRoofline\n" + terminal_text(places_table(shown)) + "\n" + roofs(shown, places) +
         legend(places);
}

// ---- What is missing or doubtful ----------------------------------------------------------------

/// "Not shown, less than 5% of the operations: FP16 of cuda v2, cuda v3."
std::string small_shares(const ShownResults& shown) {
  std::map<std::string, std::string> steps;
  for (const ShownRow& row : shown.timed())
    for (const RooflinePoint& point : row.result->rooflines)
      if (!roofline::is_shown(point)) {
        std::string& names = steps[point.precision];
        names += (names.empty() ? "" : ", ") + label_of(row);
      }
  std::string text;
  for (const auto& [precision, names] : steps)
    text +=
        roofline::paragraph(fmt::format("Not shown, less than {:.0f}% of the operations: {} of {}.",
                                        100 * roofline::least_share_shown, precision, names));
  return text;
}

/// Explains slices, if results were counted on one, and tells what counting cost.
std::string how_counted(const StudyRecord& study) {
  std::string text;
  for (const Result& result : study.results)
    if (text.empty() && result.counted.slice && result.counted.source == roofline::CountedBy::cupti)
      text = roofline::paragraph(
          fmt::format("FLOPs: the mix of instructions is counted on {}, their number on all, "
                      "because counting every kind on all would take some hundred times as long.",
                      result.counted.slice->part));
  if (const auto cost = counting_cost(study))
    text += fmt::format("Counting by hardware took {}, {:.1f} times the runs.\n",
                        roofline::describe_seconds(cost->seconds), cost->times_the_runs);
  return text;
}

std::string warnings(const ShownResults& shown, bool colours) {
  std::string text;
  for (const ShownRow& row : shown.rows())
    for (const std::string& defect : defects_of(*row.result))
      text += roofline::coloured(
                  roofline::wrapped(fmt::format("warning: {}: {}", label_of(row), defect),
                                    page_width, 9),
                  roofline::Colour::yellow, colours) +
              "\n";
  return text;
}

/// Names GPU results that hardware did not count; neighbours with the same reason share a line.
std::string without_hardware(const ShownResults& shown) {
  std::string text, last;
  for (const ShownRow& row : shown.timed()) {
    const std::string& reason = row.result->counted.reason;
    if (row.result->kind != "gpu" || reason.empty() || reason == last) continue;
    last = reason;
    text += roofline::paragraph(
        fmt::format("not counted by hardware: {}: {}", label_of(row), reason), 9);
  }
  return text;
}

/// Names results without a roofline point despite measured roofs, with the first one's reason.
std::string without_place(const ShownResults& shown) {
  std::string first, why;
  int others = 0;
  for (const ShownRow& row : shown.timed()) {
    const std::string reason =
        row.machine->ceilings == nullptr ? "" : why_no_place(row.study(), *row.result);
    if (reason.empty()) continue;
    others += !first.empty();
    if (first.empty()) why = reason, first = label_of(row);
  }
  if (first.empty()) return {};
  return roofline::paragraph(fmt::format("No place on the roofline: {}{}, because {}.", first,
                                         others > 0 ? fmt::format(" and {} more", others) : "",
                                         why));
}

// ---- Tables -------------------------------------------------------------------------------------

std::string machine_code_text(const ShownResults& shown) {
  Rows rows = shown.timed();
  std::erase_if(rows, [](const ShownRow& row) { return row.result->code.scalar_share() < 0; });
  return with_legend(
      table_of(shown, rows,
               {"model", "variant", "scalar", "128-bit", "256-bit", "512-bit", "divide", "root",
                "calls"},
               "machine_code", "Machine code"),
      "Floating-point instructions in the text of each variant, each counted once, as the "
      "compiler made them: scalar ones work on one number, the others on 2, 4 or 8 of FP64. "
      "Loops of vectors have scalar copies for what is left over. divide, root: divisions "
      "and square roots among them. calls: functions of libraries.");
}

std::string kernels_text(const ShownResults& shown) {
  return with_legend(
      kernels_table(shown),
      fmt::format("Those that take {:.0f}% of the time or more.", 100 * least_share_of_time));
}

std::string instructions_text(const ShownResults& shown) {
  std::vector<roofline::InstructionRow> rows;
  for (const ShownRow& row : shown.timed())
    if (!row.result->instructions.empty())
      rows.push_back(
          {label_of(row), row.metrics(), row.result->timing().median, row.result->instructions});
  const Table table = roofline::instruction_table(rows);
  if (table.rows.empty()) return {};
  return "\nInstructions\n" + terminal_text(table, false, roofline::text_width());
}

/// A profiler's columns on schedulers and on memory, with published values beside ours.
std::string profiler_text(const ShownResults& shown) {
  static const std::vector<std::string> schedulers = {"active_warps", "eligible_warps",
                                                      "issued_warps", "no_eligible"},
                                        memory = {"dram_rate", "l1_hit",        "l2_hit",
                                                  "mem_busy",  "max_bandwidth", "mem_pipes_busy"};
  const auto table = [&shown](const std::vector<std::string>& metrics, const char* title,
                              const char* legend) {
    Rows rows = shown.timed();
    std::erase_if(rows, [&metrics](const ShownRow& row) {
      return row.result->kind != "gpu" ||
             row.result->counted.source != roofline::CountedBy::cupti ||
             std::ranges::none_of(metrics, [&row](const std::string& metric) {
               return row.metrics().contains(metric == "dram_rate" ? "dram_bytes" : metric);
             });
    });
    std::vector<std::string> names = {"model", "variant"};
    names.insert(names.end(), metrics.begin(), metrics.end());
    return with_legend(table_of(shown, rows, names, "profiler", title), legend);
  };
  return table(schedulers, "Schedulers",
               "Warps of one of the four schedulers of a multiprocessor, on average over its busy "
               "cycles: resident, ready to issue, issuing. no eligible: cycles in which none was "
               "ready. Beside them: published.") +
         table(memory, "Memory",
               "DRAM: bytes read and written per second. Hits: of the sectors asked for. busy: the "
               "busiest unit that holds memory; bandwidth: the busiest connection between such; "
               "pipes: the busiest pipe of memory instructions; each of its peak. --counters all "
               "counts these three. Beside them: published.");
}

/// Advice on each variant, followed by what to examine, once per cause.
std::string advice_tables(const ShownResults& shown) {
  std::vector<roofline::Advice> all;
  Rows rows = shown.timed();
  std::erase_if(rows, [&all](const ShownRow& row) {
    const std::optional<LinkedAdvice> linked = advice_on(row);
    const bool known = linked && linked->first.cause.binding != roofline::Binding::unknown;
    if (known) all.push_back(linked->advice);
    return !known;
  });
  const Table table =
      table_of(shown, rows, {"model", "variant", "binding", "what", "shown_by", "also", "see"},
               "advice", "What to look at next");
  if (rows.empty()) return {};
  return "\n" + table.caption + "\n" + terminal_text(table) + "\n" + looks_text(all, page_width) +
         roofline::paragraph(
             "see: the next steps that act on it, `gpp explain v9`. They need not "
             "gain: docs/advice.md sets advice beside gains.");
}

}  // namespace

std::set<std::string> defects_of(const Result& result) {
  std::set<std::string> defects(result.counted.defects.begin(), result.counted.defects.end());
  if (result.timed())
    for (const auto* points : {&result.rooflines, &result.instructions})
      for (const RooflinePoint& point : *points)
        defects.insert(point.defects.begin(), point.defects.end());
  return defects;
}

std::string evidence_text(const StudyRecord& study, const ShownResults& shown, bool colours) {
  return places_text(shown) + without_place(shown) + without_hardware(shown) + small_shares(shown) +
         how_counted(study) + warnings(shown, colours) + machine_code_text(shown) +
         kernels_text(shown) + instructions_text(shown) + profiler_text(shown) +
         advice_tables(shown);
}

}  // namespace gpp
