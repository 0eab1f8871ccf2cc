#include "harness/view/results.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "harness/view/load_text.h"
#include "harness/view/steps.h"
#include "roofline/base/units.h"
#include "roofline/instruction_table.h"
#include "roofline/points.h"
#include "roofline/verdict.h"

namespace gpp {
namespace {

using roofline::Align;
using roofline::TableCell;
using roofline::ViewTable;
namespace cell = roofline::cell;
using ShownColumn = roofline::ColumnOf<ShownRow>;

ShownColumn words(const char* name, const std::string& title, const std::string& note,
                  std::function<TableCell(const ShownRow&)> cell) {
  return {{name, title, note}, std::move(cell)};
}

ShownColumn number(const char* name, const std::string& title, const std::string& note,
                   const char* unit, std::function<TableCell(const ShownRow&)> cell) {
  return {{name, title, note, unit, Align::right}, std::move(cell)};
}

/// Rows that passed and were timed, with the tags that switches of the page hide them by.
ViewTable table_of(const ShownResults& shown, const std::vector<ShownColumn>& columns,
                   ViewTable table) {
  std::vector<ShownRow> rows;
  for (const ShownRow& row : shown.rows())
    if (row.result->timed()) rows.push_back(row);
  table = roofline::table_of(columns, rows, std::move(table));
  for (std::size_t i = 0; i < rows.size(); ++i) table.rows[i].tags = rows[i].tags();
  return table;
}

/// The columns that name a row; a machine is named where there are several.
std::vector<ShownColumn> name_columns(const ShownResults& shown, bool with_step) {
  std::vector<ShownColumn> columns = {words("variant", "variant", "", [](const ShownRow& row) {
    TableCell text{row.result->variant};
    text.link = "step-" + row.result->variant;
    return text;
  })};
  if (with_step)
    columns.push_back(words("step", "step", "",
                            [](const ShownRow& row) { return TableCell{own_step(*row.result)}; }));
  columns.push_back(
      words("model", "model", "", [](const ShownRow& row) { return TableCell{row.model}; }));
  if (shown.machines().size() > 1)
    columns.push_back(words("machine", "machine", "",
                            [](const ShownRow& row) { return TableCell{row.machine->label}; }));
  return columns;
}

TableCell spread_cell(const ShownRow& row) {
  const Trusted trusted = row.result->trusted();
  const Timing timing = row.result->timing();
  const bool known = trusted.samples.size() > 1 && std::isfinite(timing.low);
  if (trusted.disturbed) return {"disturbed", known ? 100 * timing.spread() : NAN};
  return cell::percent(known ? std::optional(100 * timing.spread()) : std::nullopt);
}

/// "v100", with the legend of what was published.
std::optional<ShownColumn> published_column(const ShownResults& shown) {
  const Kernel& kernel = kernel_of(shown.rows().front().study());
  if (kernel.published == nullptr || shown.of_a_ladder()) return std::nullopt;
  const Published& published = kernel.published();
  return number("published", published.device, published.legend, "",
                [&published](const ShownRow& row) {
                  return cell::times(published.speedup(row.result->variant));
                });
}

/// The levels of all kinds of devices that ran, nearest to the arithmetic first; one that only some
/// have follows its neighbour.
std::vector<roofline::Level> levels_of(const ShownResults& shown) {
  std::vector<roofline::Level> levels;
  for (const ShownMachine& machine : shown.machines()) {
    std::size_t after = 0;
    for (const roofline::Level& level : roofline::table_of(machine.kind).levels) {
      const auto known =
          std::find_if(levels.begin(), levels.end(),
                       [&level](const roofline::Level& one) { return one.name == level.name; });
      if (known == levels.end())
        levels.insert(levels.begin() + static_cast<std::ptrdiff_t>(after), level);
      else
        after = static_cast<std::size_t>(known - levels.begin());
      ++after;
    }
  }
  return levels;
}

TableCell stall_cell(const ShownRow& row) {
  const auto stall = roofline::top_stall(row.result->counted.metrics);
  if (!stall) return {roofline::unknown_text};
  std::string name = stall->name;
  std::replace(name.begin(), name.end(), '_', ' ');
  return {fmt::format("{} {:.2f}", name, stall->warps_per_issue)};
}

/// Columns of roofs, with the ratio to the data sheet.
std::vector<roofline::ColumnOf<roofline::Ceiling>> roof_columns(bool with_definitions) {
  using roofline::Ceiling;
  std::vector<roofline::ColumnOf<Ceiling>> columns = {
      {{"roof", "roof"},
       [](const Ceiling& roof) {
         return TableCell{roof.label, NAN, roof.definition};
       }},
      {{"measured", "measured", "", "", Align::right},
       [](const Ceiling& roof) { return cell::rate(roof.measured, roofline::rate_unit(roof)); }},
      {{"theoretical", "theoretical", "", "", Align::right},
       [](const Ceiling& roof) { return cell::rate(roof.theoretical, roofline::rate_unit(roof)); }},
      {{"ratio", "ratio", "", "%", Align::right},
       [](const Ceiling& roof) {
         return cell::percent(roof.theoretical
                                  ? std::optional(100 * roof.measured / *roof.theoretical)
                                  : std::nullopt);
       }},
      {{"clock", "clock", "", "MHz", Align::right}, [](const Ceiling& roof) {
         return cell::number(roof.clock_mhz > 0 ? std::optional(roof.clock_mhz) : std::nullopt,
                             [](double mhz) { return fmt::format("{:.4g} MHz", mhz); });
       }}};
  if (with_definitions)
    columns.push_back({{"definition", "what it is"},
                       [](const Ceiling& roof) { return TableCell{roof.definition}; }});
  return columns;
}

/// "serial 1, omp 2": threads of the host, by model.
std::string threads_text(const StudyRecord& study) {
  std::vector<std::string> known;
  for (const Result& result : study.results) {
    const std::string one = fmt::format("{} {}", result.model, result.threads);
    if (result.threads > 0 && std::find(known.begin(), known.end(), one) == known.end())
      known.push_back(one);
  }
  return fmt::format("{}", fmt::join(known, ", "));
}

std::string list_text(const std::map<std::string, std::string>& values) {
  std::vector<std::string> list;
  for (const auto& [name, value] : values) list.push_back(fmt::format("{}: {}", name, value));
  return fmt::format("{}", fmt::join(list, "; "));
}

std::string gpus_text(const Machine& machine) {
  std::vector<std::string> list;
  for (const DeviceDescription& gpu : machine.gpus)
    list.push_back(fmt::format("{} ({}, {} multiprocessors, {})", gpu.name, gpu.architecture,
                               gpu.units,
                               roofline::with_prefix(static_cast<double>(gpu.memory_bytes), "B")));
  return fmt::format("{}", fmt::join(list, "; "));
}

std::string input_text(const StudyRecord& study) {
  const Kernel& kernel = kernel_of(study);
  const std::string more =
      kernel.describe_input == nullptr ? "" : kernel.describe_input(study.input);
  return more.empty() ? study.input.path : study.input.path + ": " + more;
}

std::string counters_text(const StudyRecord& study) {
  std::set<std::string> sources;
  for (const Result& result : study.results)
    if (result.counted.source != roofline::CountedBy::nobody)
      sources.insert(std::string(roofline::source_name(result.counted.source)));
  return fmt::format("{}", fmt::join(sources, ", "));
}

}  // namespace

ViewTable results_table(const ShownResults& shown) {
  ViewTable table{"results", "Results of every variant that passed its check", {}, {}, {}};
  if (shown.rows().empty()) return table;
  const std::string work = kernel_of(shown.rows().front().study()).work;
  std::vector<ShownColumn> columns = name_columns(shown, true);
  columns.push_back(
      number("time", "time", "median of the timed runs", "s",
             [](const ShownRow& row) { return cell::seconds(row.result->timing().median); }));
  columns.push_back(number("spread", "±",
                           "half the 95% interval of the median; disturbed: others took more than "
                           "5% of the device",
                           "%", spread_cell));
  columns.push_back(number("work_rate", work + "/s", "", "", [](const ShownRow& row) {
    return cell::scientific(terms_per_second(row.study(), *row.result));
  }));
  columns.push_back(number(
      "speedup", "speedup", fmt::format("over {} of the same model and device", shown.baseline()),
      "", [](const ShownRow& row) { return cell::times(speedup(row.study(), *row.result)); }));
  if (auto published = published_column(shown)) columns.push_back(*std::move(published));
  columns.push_back(number("registers", "registers", "", "", registers_cell));
  columns.push_back(number("occupancy", "occupancy", "", "%", occupancy_cell));
  columns.push_back(number("error", "error", "largest relative error of all sums", "", error_cell));
  return table_of(shown, columns, std::move(table));
}

ViewTable places_table(const ShownResults& shown) {
  const bool computes =
      std::any_of(shown.rows().begin(), shown.rows().end(), [](const ShownRow& row) {
        return row.result->roofline() != nullptr && row.result->roofline()->compute_seconds > 0;
      });
  std::vector<ShownColumn> columns = name_columns(shown, false);
  columns.push_back(number("rate", "rate", "", "", rate_cell));
  columns.push_back(number(
      "of_roof", "of roof", "of the lowest roof of all levels", "%", [](const ShownRow& row) {
        const roofline::RooflinePoint* point = row.result->roofline();
        return cell::percent(point == nullptr ? std::nullopt
                                              : std::optional(point->percent_of_roof));
      }));
  columns.push_back(words("held_back_by", "held back by",
                          "a roof where half of it or of the FP64 pipe was used, else latency, "
                          "scalar code or division",
                          [](const ShownRow& row) { return held_back_cell(row, false); }));
  columns.push_back(words("top_stall", "top stall",
                          "warps that waited for it, for each instruction issued", stall_cell));
  for (const roofline::Level& level : levels_of(shown))
    columns.push_back(
        number(("intensity_" + level.name).c_str(), "AI " + level.label,
               fmt::format("{} per byte at {}", computes ? "FLOP" : "bytes of DRAM", level.label),
               "", [name = level.name](const ShownRow& row) {
                 return cell::short_number(roofline::intensity_at(row.result->roofline(), name));
               }));
  columns.push_back(number("fp64_pipe", "FP64 pipe", "", "%", [](const ShownRow& row) {
    return cell::percent(roofline::metric_value(row.result->counted.metrics, "fp64_pipe"));
  }));
  return table_of(shown, columns, {"places", "Every variant under its roofs", {}, {}, {}});
}

ViewTable instructions_table(const ShownResults& shown) {
  std::vector<ShownColumn> columns = name_columns(shown, false);
  for (const roofline::ColumnOf<roofline::InstructionRow>& one :
       roofline::instruction_columns("inst/txn "))
    columns.push_back({one.head, [cell = one.cell](const ShownRow& row) {
                         return cell({row.result->variant,
                                      roofline::instruction_facts(row.result->counted.metrics,
                                                                  row.result->timing().median),
                                      row.result->instructions});
                       }});
  return table_of(shown, columns, {"instructions", "Instructions of every variant", {}, {}, {}});
}

ViewTable roofs_table(const roofline::Ceilings& ceilings, bool with_definitions) {
  return roofline::table_of(roof_columns(with_definitions), ceilings.list,
                            {"roofs", "Roofs of " + ceilings.device, {}, {}, {}});
}

ViewTable metrics_table(const ShownResults& shown) {
  using roofline::Metric;
  std::vector<Metric> used;
  for (const Metric& metric : roofline::metric_table())
    if (std::any_of(shown.rows().begin(), shown.rows().end(), [&metric](const ShownRow& row) {
          return row.result->timed() && row.result->counted.metrics.contains(metric.name);
        }))
      used.push_back(metric);
  const std::vector<roofline::ColumnOf<Metric>> columns = {
      {{"metric", "metric"}, [](const Metric& one) { return TableCell{metric_label(one)}; }},
      {{"unit", "unit"}, [](const Metric& one) { return TableCell{one.unit}; }},
      {{"meaning", "meaning"}, [](const Metric& one) { return TableCell{one.meaning}; }},
      {{"formula", "formula"}, [](const Metric& one) { return TableCell{one.formula}; }}};
  return roofline::table_of(columns, used, {"metrics", "Metrics", {}, {}, {}});
}

ViewTable unavailable_table(const std::vector<NamedStudy>& studies) {
  ViewTable table{
      "unavailable", "Not run here", {{"reason", "reason"}, {"variants", "variants"}}, {}, {}};
  for (const NamedStudy& named : studies)
    for (const Result& result : named.study.results) {
      if (result.status != Status::unavailable) continue;
      const std::string reason = fmt::format(
          "{}{}: {}", studies.size() > 1 ? named.name + ", " : "", result.model, result.reason);
      const std::string name = full_name(result);
      const auto known =
          std::find_if(table.rows.begin(), table.rows.end(),
                       [&reason](const auto& row) { return row.cells[0].text == reason; });
      if (known == table.rows.end())
        table.rows.push_back({{{reason}, {name}}});
      else
        known->cells[1].text += ", " + name;
    }
  return table;
}

ViewTable record_table(const NamedStudy& named) {
  const StudyRecord& study = named.study;
  const Machine& machine = study.machine;
  ViewTable table{"record", named.name, {{"what", "what"}, {"value", "value"}}, {}, {}};
  const auto line = [&table](const char* what, const std::string& value) {
    if (!value.empty()) table.rows.push_back({{{what}, {value}}});
  };
  line("recorded", study.created);
  line("machine",
       fmt::format("{}: {}, {} cores, {}", machine.host, machine.cpu, machine.cores,
                   roofline::with_prefix(static_cast<double>(machine.memory_bytes), "B")));
  line("GPUs", gpus_text(machine));
  line("driver", machine.driver);
  line("system", machine.os);
  line("threads", threads_text(study));
  if (!machine.affinity.empty())
    line("processors",
         fmt::format("{} of {} online", machine.affinity,
                     machine.online_cores > 0 ? std::to_string(machine.online_cores) : "unknown"));
  line("clock set by", machine.governor);
  if (machine.load_average)
    line("load average", fmt::format("{:.2g} before the study", *machine.load_average));
  line("load of others", describe_load(study));
  line("set", describe_environment(machine));
  line("compilers", list_text(study.build.compilers));
  line("flags", list_text(study.build.flags));
  line("input", input_text(study));
  line("SHA-256", study.input.sha256);
  line("source", study.git.revision + (study.git.dirty ? ", with changes not committed" : ""));
  line("counters", counters_text(study));
  return table;
}

std::string disturbed_sentence(const ShownResults& shown) {
  std::vector<std::string> names;
  for (const ShownRow& row : shown.rows())
    if (row.result->timed() && row.result->trusted().disturbed)
      names.push_back(fmt::format("{} ({})", row.result->variant, row.series_label()));
  if (names.empty()) return {};
  return fmt::format(
      "Others took more than {:.0f}% of the device while these were timed, and their times are "
      "not to be trusted: {}.",
      100 * disturbed_threshold, fmt::join(names, ", "));
}

}  // namespace gpp
