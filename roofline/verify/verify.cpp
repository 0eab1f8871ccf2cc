#include "roofline/verify/verify.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <regex>

#include "roofline/base/json_place.h"
#include "roofline/base/text.h"
#include "roofline/models/model_table.h"

namespace roofline::known {
namespace {

const KernelProfile* find_kernel(const Profile& profile, const std::string& name) {
  const std::regex word("\\b" + name + "\\b");  // other profilers show it among template arguments
  const auto found = std::ranges::find_if(profile.kernels, [&word](const KernelProfile& one) {
    return std::regex_search(one.name, word);
  });
  return found == profile.kernels.end() ? nullptr : &*found;
}

/// The reason of a missing value by its metric, level, precision or a counter.
std::string why_missing(const KernelProfile& kernel, const Metric& metric) {
  std::vector<std::string> names = counters_of(metric);
  const std::string counters = fmt::format("not there: {}", fmt::join(names, ", "));
  names.push_back(metric.name);
  for (const Level& level : nvidia_table().levels)
    if (level.traffic == metric.name) names.push_back(level.name);
  for (const Model& model : nvidia_table().models)
    if (model.work == metric.name) names.push_back(work_key(model.name));
  for (const Missing& missing : kernel.missing)
    if (std::ranges::find(names, missing.name) != names.end()) return missing.reason;
  return counters;
}

Judgement judge(const Kernel& known, const Answer& answer, const Profile& profile,
                const std::map<std::string, std::string>& left_out) {
  const Metric& metric = *find_metric(answer.metric);
  const KernelProfile* kernel = find_kernel(profile, known.name);
  Judgement row{known.name,   known.does, answer.metric,    metric.unit,
                answer.value, {},         answer.tolerance, {}};
  if (kernel == nullptr) {
    const auto why = left_out.find(known.name);
    row.reason = why != left_out.end() ? why->second : "the kernel is not among those counted";
    return row;
  }
  if (metric.unit != "1")
    row.expected *= static_cast<double>(std::max<std::int64_t>(1, kernel->launches));
  row.counted = metric_value(kernel->metrics, metric.name);
  if (!row.counted) row.reason = why_missing(*kernel, metric);
  return row;
}

std::string number(double value) { return fmt::format("{:.10g}", value); }

Table verification_table(const Verification& verification) {
  using Column = ColumnOf<Judgement>;
  const std::vector<Column> columns = {
      {{"kernel", "kernel"}, [](const Judgement& row) { return TableCell{row.kernel}; }},
      {{"metric", "what"}, [](const Judgement& row) { return TableCell{row.metric}; }},
      {{"expected", "expected", "", "", Align::right},
       [](const Judgement& row) {
         return TableCell{number(row.expected), row.expected};
       }},
      {{"counted", "counted", "", "", Align::right},
       [](const Judgement& row) {
         return row.counted ? TableCell{number(*row.counted), *row.counted} : TableCell{"-"};
       }},
      {{"verdict", "verdict"}, [](const Judgement& row) { return TableCell{row.verdict()}; }}};
  Table table = table_of(columns, verification.rows,
                         {"verify", "Counts of kernels whose answers are known", {}, {}, {}});
  std::vector<std::string> told;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const Judgement& row = verification.rows[i];
    table.rows[i].tone = row.ok() ? "good" : row.off() ? "bad" : "";
    if (row.counted || std::ranges::find(told, row.reason) != told.end()) continue;
    told.push_back(row.reason);
    table.notes.push_back(
        fmt::format("Not counted, {} of {}: {}.", row.metric, row.kernel, visible(row.reason)));
  }
  return table;
}

}  // namespace

bool Judgement::ok() const {
  return counted && std::abs(*counted - expected) <= tolerance * std::abs(expected);
}

std::string Judgement::verdict() const {
  if (!counted) return "not counted";
  if (ok()) return "ok";
  return expected == 0 ? "off: it must be 0" : fmt::format("off by {:+.3g}%", *percent());
}

std::optional<double> Judgement::percent() const {
  if (!counted || expected == 0) return std::nullopt;
  return 100 * (*counted / expected - 1);
}

std::size_t Verification::right() const {
  return static_cast<std::size_t>(std::ranges::count_if(rows, &Judgement::ok));
}

std::size_t Verification::wrong() const {
  return static_cast<std::size_t>(std::ranges::count_if(rows, &Judgement::off));
}

Verification verify(const Profile& profile, const std::map<std::string, std::string>& left_out) {
  Verification all{profile.source, profile.device, {}};
  for (const Kernel& kernel : kernels())
    for (const Answer& answer : kernel.answers)
      all.rows.push_back(judge(kernel, answer, profile, left_out));
  return all;
}

std::string verification_text(const Verification& verification, bool colours, std::size_t width) {
  const std::size_t right = verification.right(), wrong = verification.wrong();
  const std::string where = verification.device.empty() ? "" : " on " + verification.device;
  std::string end = fmt::format("{}{}: {} right, {} wrong, {} not counted.", verification.source,
                                where, right, wrong, verification.rows.size() - right - wrong);
  if (right + wrong == 0) end += " Nothing was counted, so nothing is verified.";
  return terminal_text(verification_table(verification), colours, width) + "\n" +
         paragraph(end, 0, width);
}

nlohmann::ordered_json verification_json(const Verification& verification) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const Judgement& row : verification.rows)
    rows.push_back({{"kernel", row.kernel},
                    {"does", row.does},
                    {"metric", row.metric},
                    {"unit", row.unit},
                    {"expected", row.expected},
                    {"counted", row.counted ? json_number(*row.counted) : nullptr},
                    {"difference_percent", row.percent() ? json_number(*row.percent()) : nullptr},
                    {"tolerance_percent", 100 * row.tolerance},
                    {"verdict", row.verdict()},
                    {"reason", row.reason}});
  const std::size_t right = verification.right(), wrong = verification.wrong();
  return with_visible_texts({{"source", verification.source},
                             {"device", verification.device},
                             {"answers", rows},
                             {"right", right},
                             {"wrong", wrong},
                             {"not_counted", verification.rows.size() - right - wrong},
                             {"passes", verification.passes()}});
}

}  // namespace roofline::known
