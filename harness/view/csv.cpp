// study.csv: other programs depend on its columns.

#include <nlohmann/json.hpp>
#include <optional>

#include "harness/record/record_json.h"
#include "harness/view/summary.h"
#include "roofline/advice.h"
#include "roofline/base/json_place.h"

namespace gpp {
namespace {

using roofline::json_number;
using roofline::TableCell;

/// The columns, and where they lie in a result's JSON (record_json.h) with what row_of() adds.
constexpr std::pair<const char*, const char*> columns[] = {
    {"study", "/study"},
    {"model", "/model"},
    {"variant", "/variant"},
    {"step", "/step"},
    {"kind", "/kind"},
    {"device", "/device"},
    {"status", "/status"},
    {"max_relative_error", "/check/max_relative_error"},
    {"tolerance", "/check/tolerance"},
    {"median_s", "/time_s/median"},
    {"min_s", "/time_s/min"},
    {"max_s", "/time_s/max"},
    {"spread", "/spread"},
    {"samples", "/runs"},
    {"throttled_runs", "/clock_mhz/throttled_runs"},
    {"terms_per_s", "/terms_per_s"},
    {"speedup_over_v1", "/speedup_over_v1"},
    {"published_v100_speedup", "/published"},
    {"cycles", "/cycles"},
    {"watts", "/energy/watts"},
    {"joules_per_run", "/energy/joules_per_run"},
    {"input", "/input"},
    {"reason", "/reason"},
    {"counted_by", "/counting/source"},
    {"flops", "/roofline/flops"},
    {"flops_per_s", "/roofline/flops_per_s"},
    {"percent_of_peak", "/roofline/percent_of_peak"},
    {"percent_of_roof", "/roofline/percent_of_roof"},
    {"bound_by", "/roofline/bound_by"},
    {"intensity_l1", "/roofline/intensity/l1"},
    {"intensity_l2", "/roofline/intensity/l2"},
    {"intensity_dram", "/roofline/intensity/dram"},
    {"fp64_pipe_percent", "/metrics/fp64_pipe"},
    {"top_stall", "/top_stall"},
    {"held_back_by", "/held_back_by"},
    {"threads", "/threads"},
    {"taken_by_others", "/taken"},
    {"disturbed_runs", "/load/disturbed_runs"},
    {"disturbed", "/load/disturbed"},
    {"complete", "/complete"}};

/// A result's JSON with what only the table has.
Json row_of(const NamedStudy& named, const Result& result) {
  const StudyRecord& study = named.study;
  Json row = to_json(study, result);
  row["study"] = named.name;
  row["input"] = study.input.path;
  row["complete"] = study.complete ? "true" : "false";
  row["runs"] = result.samples.size();
  row["taken"] = json_number(result.taken());
  row["published"] = json_number(published_speedup(study, result));
  if (baseline_of(study) == "v1") row["speedup_over_v1"] = row["speedup"];
  if (const auto stall = roofline::top_stall(result.counted.metrics))
    row["top_stall"] = stall->name;
  if (result.timed()) {
    row["spread"] = json_number(result.timing().spread());
    row["cycles"] = json_number(result.cycles());
  }
  if (const roofline::RooflinePoint* point = result.roofline()) {
    row["held_back_by"] = verdict(*point, result.counted.metrics).text();
    if (roofline::only_moves(*point))  // it has no operations
      for (const char* key : {"flops", "flops_per_s", "percent_of_peak", "intensity"})
        row["roofline"].erase(key);
  }
  return row;
}

/// A number with all digits, or a text; empty if unknown.
TableCell cell_of(const Json& row, const char* pointer) {
  const Json value = row.value(Json::json_pointer(pointer), Json());
  if (value.is_string()) return {value.get<std::string>()};
  if (value.is_boolean()) return {"", value.get<bool>() ? 1.0 : 0.0};
  return value.is_number() ? TableCell{"", value.get<double>()} : TableCell{};
}

}  // namespace

std::string csv(const std::vector<NamedStudy>& studies) {
  roofline::Table table{"study", "Study", {}, {}, {}};
  for (const auto& [name, pointer] : columns) table.columns.push_back({name, name});
  for (const NamedStudy& named : studies)
    for (const Result& result : named.study.results) {
      const Json row = row_of(named, result);
      roofline::TableRow& cells = table.rows.emplace_back();
      for (const auto& [name, pointer] : columns) cells.cells.push_back(cell_of(row, pointer));
    }
  return csv_text(table);
}

}  // namespace gpp
