// study.csv: other programs depend on its columns.

#include <algorithm>
#include <functional>
#include <iterator>
#include <optional>

#include "harness/view/summary.h"
#include "roofline/verdict.h"

namespace gpp {
namespace {

using roofline::TableCell;

/// One result of several studies.
struct CsvRow {
  const NamedStudy* named = nullptr;
  const Result* result = nullptr;

  const roofline::RooflinePoint* point() const { return result->roofline(); }
  /// The point for FLOP columns, which stay empty if the result has no operations.
  const roofline::RooflinePoint* computing() const {
    return point() != nullptr && !roofline::only_moves(*point()) ? point() : nullptr;
  }
};

using CsvColumn = roofline::ColumnOf<CsvRow>;

/// A number with all digits; empty if unknown.
TableCell in_full(std::optional<double> value) {
  return value ? TableCell{"", *value} : TableCell{};
}

CsvColumn text(const char* name, std::function<std::string(const CsvRow&)> text) {
  return {{name, name}, [text](const CsvRow& row) { return TableCell{text(row)}; }};
}

CsvColumn value(const char* name, std::function<std::optional<double>(const CsvRow&)> value) {
  return {{name, name}, [value](const CsvRow& row) { return in_full(value(row)); }};
}

/// A number about the times of a timed result.
CsvColumn timed(const char* name, std::function<double(const CsvRow&)> number) {
  return value(name, [number](const CsvRow& row) {
    return row.result->timed() ? std::optional(number(row)) : std::nullopt;
  });
}

CsvColumn of_point(const char* name, double roofline::RooflinePoint::*part) {
  return value(name, [part](const CsvRow& row) {
    return row.computing() == nullptr ? std::nullopt : std::optional(row.computing()->*part);
  });
}

CsvColumn intensity(const char* name, const char* level) {
  return value(
      name, [level](const CsvRow& row) { return roofline::intensity_at(row.computing(), level); });
}

/// Columns about each run: its variant, check, and time.
std::vector<CsvColumn> columns_of_runs() {
  return {text("study", [](const CsvRow& row) { return row.named->name; }),
          text("model", [](const CsvRow& row) { return row.result->model; }),
          text("variant", [](const CsvRow& row) { return row.result->variant; }),
          text("step", [](const CsvRow& row) { return row.result->step; }),
          text("kind", [](const CsvRow& row) { return row.result->kind; }),
          text("device", [](const CsvRow& row) { return row.result->device; }),
          text("status", [](const CsvRow& row) { return name_of(row.result->status); }),
          value("max_relative_error",
                [](const CsvRow& row) { return row.result->check.max_relative_error; }),
          value("tolerance", [](const CsvRow& row) { return row.result->check.tolerance; }),
          timed("median_s", [](const CsvRow& row) { return row.result->timing().median; }),
          timed("min_s", [](const CsvRow& row) { return row.result->timing().min; }),
          timed("max_s", [](const CsvRow& row) { return row.result->timing().max; }),
          timed("spread", [](const CsvRow& row) { return row.result->timing().spread(); }),
          value("samples", [](const CsvRow& row) { return row.result->samples.size(); }),
          value("throttled_runs", [](const CsvRow& row) { return row.result->clocks.throttled; }),
          timed("terms_per_s",
                [](const CsvRow& row) { return terms_per_second(row.named->study, *row.result); }),
          value("speedup_over_v1",
                [](const CsvRow& row) {
                  return baseline_of(row.named->study) == "v1"
                             ? speedup(row.named->study, *row.result)
                             : std::nullopt;
                }),
          value("published_v100_speedup", [](const CsvRow& row) {
            return published_speedup(row.named->study, *row.result);
          })};
}

/// Columns about the counts' source, the roofline point, and disturbances.
std::vector<CsvColumn> columns_of_counts() {
  return {
      text("input", [](const CsvRow& row) { return row.named->study.input.path; }),
      text("reason", [](const CsvRow& row) { return row.result->reason; }),
      text("counted_by",
           [](const CsvRow& row) {
             return std::string(roofline::source_name(row.result->counted.source));
           }),
      of_point("flops", &roofline::RooflinePoint::flop),
      of_point("flops_per_s", &roofline::RooflinePoint::flop_per_s),
      of_point("percent_of_peak", &roofline::RooflinePoint::percent_of_peak),
      value("percent_of_roof",
            [](const CsvRow& row) {
              return row.point() == nullptr ? std::nullopt
                                            : std::optional(row.point()->percent_of_roof);
            }),
      text("bound_by",
           [](const CsvRow& row) { return row.point() == nullptr ? "" : row.point()->bound_by; }),
      intensity("intensity_l1", "l1"), intensity("intensity_l2", "l2"),
      intensity("intensity_dram", "dram"),
      value("fp64_pipe_percent",
            [](const CsvRow& row) {
              return roofline::metric_value(row.result->counted.metrics, "fp64_pipe");
            }),
      text("top_stall",
           [](const CsvRow& row) {
             const auto stall = roofline::top_stall(row.result->counted.metrics);
             return stall ? stall->name : "";
           }),
      text("held_back_by",
           [](const CsvRow& row) {
             return row.point() == nullptr
                        ? ""
                        : verdict(*row.point(), row.result->counted.metrics).text();
           }),
      value("threads",
            [](const CsvRow& row) {
              return row.result->threads > 0 ? std::optional<double>(row.result->threads)
                                             : std::nullopt;
            }),
      // Columns for runs with measured load:
      value("taken_by_others", [](const CsvRow& row) { return row.result->taken(); }),
      value("disturbed_runs",
            [](const CsvRow& row) -> std::optional<double> {
              const std::vector<bool> runs = row.result->disturbed_runs();
              if (row.result->load.empty()) return std::nullopt;
              return std::count(runs.begin(), runs.end(), true);
            }),
      value("disturbed",
            [](const CsvRow& row) -> std::optional<double> {
              if (row.result->load.empty()) return std::nullopt;
              return row.result->trusted().disturbed ? 1 : 0;
            }),
      text("complete",
           [](const CsvRow& row) { return row.named->study.complete ? "true" : "false"; })};
}

/// Columns of clock and power, if the device reports them.
std::vector<CsvColumn> columns_of_power() {
  return {value("cycles",
                [](const CsvRow& row) {
                  return row.result->timed() ? row.result->cycles() : std::nullopt;
                }),
          value("watts",
                [](const CsvRow& row) { return row.result->energy_told(&EnergyRecord::watts); }),
          value("joules_per_run", [](const CsvRow& row) {
            return row.result->energy_told(&EnergyRecord::joules_per_run);
          })};
}

std::vector<CsvColumn> csv_columns() {
  std::vector<CsvColumn> columns = columns_of_runs();
  std::ranges::move(columns_of_power(), std::back_inserter(columns));
  std::ranges::move(columns_of_counts(), std::back_inserter(columns));
  return columns;
}

}  // namespace

std::string csv(const std::vector<NamedStudy>& studies) {
  std::vector<CsvRow> rows;
  for (const NamedStudy& named : studies)
    for (const Result& result : named.study.results) rows.push_back({&named, &result});
  return csv_text(roofline::table_of(csv_columns(), rows, {"study", "Study", {}, {}, {}}));
}

}  // namespace gpp
