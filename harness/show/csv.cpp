#include "harness/show/csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>

#include "harness/show/roofline_table.h"
#include "roofline/base/visible.h"
#include "roofline/verdict.h"

namespace gpp {
namespace {

/// A text as a cell. Spreadsheets take one that begins so for a formula and run it: an apostrophe
/// before it says that it is text.
std::string cell(const std::string& field) {
  std::string text = roofline::visible(field);
  if (!text.empty() && std::string_view("=+-@").find(text.front()) != std::string_view::npos)
    text = fmt::format("'{}", text);
  if (text.find_first_of(",\"") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string number(double value) { return std::isfinite(value) ? fmt::format("{}", value) : ""; }
std::string number(std::optional<double> value) { return value ? number(*value) : ""; }

std::string intensity(const Result& result, const char* level) {
  const roofline::LevelPoint* point = level_of(result, level);
  return point == nullptr ? "" : number(point->intensity);
}

std::string roofline_fields(const Result& result) {
  const auto pipe = result.counted.metrics.find("fp64_pipe");
  const auto stall = roofline::top_stall(result.counted.metrics);
  const std::string counted = fmt::format(
      "{},{},{}", pipe == result.counted.metrics.end() ? "" : number(pipe->second),
      stall ? cell(stall->name) : "",
      result.roofline() ? cell(verdict(*result.roofline(), result.counted.metrics).text()) : "");
  if (!result.roofline())
    return fmt::format("{},,,,,,,,,{}", roofline::source_name(result.counted.source), counted);
  const roofline::RooflinePoint& point = *result.roofline();
  if (roofline::only_moves(point))  // columns of FLOP stay empty
    return fmt::format("{},,,,{},{},,,,{}", roofline::source_name(result.counted.source),
                       number(point.percent_of_roof), cell(point.bound_by), counted);
  return fmt::format("{},{},{},{},{},{},{},{},{},{}", roofline::source_name(result.counted.source),
                     number(point.flop), number(point.flop_per_s), number(point.percent_of_peak),
                     number(point.percent_of_roof), cell(point.bound_by), intensity(result, "l1"),
                     intensity(result, "l2"), intensity(result, "dram"), counted);
}

/// Threads, and the mean share that others took.
std::string load_fields(const Result& result) {
  const std::vector<bool> disturbed = result.disturbed_runs();
  const std::string threads = result.threads > 0 ? std::to_string(result.threads) : "";
  if (result.load.empty()) return threads + ",,,";
  return fmt::format("{},{},{},{}", threads, number(result.taken()),
                     std::count(disturbed.begin(), disturbed.end(), true),
                     result.trusted().disturbed ? 1 : 0);
}

std::string row(const NamedStudy& named, const Result& result) {
  const StudyRecord& study = named.study;
  const Timing timing = result.timing();
  const auto timed = [&result](double value) { return result.timed() ? number(value) : ""; };
  return fmt::format(
      "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", cell(named.name),
      cell(result.model), cell(result.variant), cell(result.step), result.kind, cell(result.device),
      name_of(result.status), number(result.check.max_relative_error),
      number(result.check.tolerance), timed(timing.median), timed(timing.min), timed(timing.max),
      timed(timing.spread()), result.samples.size(), result.clocks.throttled,
      timed(terms_per_second(study, result)),
      baseline_of(study) == "v1" ? number(speedup(study, result)) : "",
      number(published_speedup(study, result)), cell(study.input.path), cell(result.reason),
      roofline_fields(result), load_fields(result), study.complete);
}

}  // namespace

std::string csv(const std::vector<NamedStudy>& studies) {
  std::string text =
      "study,model,variant,step,kind,device,status,max_relative_error,tolerance,median_s,min_s,"
      "max_s,spread,samples,throttled_runs,terms_per_s,speedup_over_v1,published_v100_speedup,"
      "input,reason,counted_by,flops,flops_per_s,percent_of_peak,percent_of_roof,bound_by,"
      "intensity_l1,intensity_l2,intensity_dram,fp64_pipe_percent,top_stall,held_back_by,threads,"
      "taken_by_others,disturbed_runs,disturbed,complete\n";
  for (const NamedStudy& named : studies)
    for (const Result& result : named.study.results) text += row(named, result);
  return text;
}

}  // namespace gpp
