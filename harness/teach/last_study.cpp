#include "harness/teach/last_study.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <functional>
#include <tuple>
#include <utility>

#include "harness/program/selection.h"
#include "harness/teach/lessons.h"
#include "harness/teach/outcome.h"
#include "roofline/base/error.h"
#include "roofline/base/machine.h"
#include "roofline/base/table.h"
#include "roofline/base/units.h"
#include "roofline/base/visible.h"

namespace gpp {
namespace {

namespace fs = std::filesystem;

/// Processors with one name count as different if the program may use different numbers of cores.
bool is_like(const StudyRecord& study, const Result& result, const DeviceDescription& device) {
  return result.device == device.name &&
         (device.kind != "host" || study.machine.cores == device.units);
}

std::vector<fs::path> records_under(const fs::path& results) {
  std::vector<fs::path> records;
  std::error_code error;
  constexpr auto skip = fs::directory_options::skip_permission_denied;
  for (fs::recursive_directory_iterator entry(results, skip, error), end; !error && entry != end;
       entry.increment(error))
    if (entry->path().filename() == "study.json") records.push_back(entry->path());
  return records;
}

using Fits = std::function<bool(const StudyRecord& study, const Result& result)>;

/// The index of a matching result of a variant.
std::optional<std::size_t> place_of(const StudyRecord& study, std::string_view model,
                                    std::string_view id, const Fits& fits) {
  for (std::size_t i = 0; i < study.results.size(); ++i) {
    const Result& result = study.results[i];
    if (result.model == model && result.variant == id && fits(study, result)) return i;
  }
  return std::nullopt;
}

/// The newest study with matching results of the variant and of its predecessor on one device.
std::optional<LastStudy> newest_of(const std::vector<RecordedStudy>& studies,
                                   const Variant& variant, const Variant* before,
                                   const Fits& fits) {
  std::optional<LastStudy> newest;
  for (const auto& [folder, study] : studies) {
    if (newest && study.created <= newest->study.created) continue;
    const auto own = place_of(study, variant.model, variant.id, fits);
    const auto first =
        before == nullptr ? std::nullopt : place_of(study, before->model, before->id, fits);
    const bool both = own && first && study.results[*first].device == study.results[*own].device;
    if (own && (before == nullptr || both)) newest = LastStudy{folder, study, *own, first};
  }
  return newest;
}

bool has_lines(const StudyRecord& /*study*/, const Result& result) {
  return result.lines.has_value();
}

std::optional<LastStudy> lines_in(const RecordedStudy& recorded, const Variant& variant,
                                  const Variant* before) {
  const StudyRecord& study = recorded.study;
  auto result = place_of(study, variant.model, variant.id, has_lines);
  if (!result) result = place_of(study, "cuda", variant.id, has_lines);
  if (!result) return std::nullopt;
  const std::string& model = study.results[*result].model;
  return LastStudy{
      recorded.folder, study, *result,
      before == nullptr ? std::nullopt : place_of(study, model, before->id, has_lines)};
}

/// Compares two records as examples. Preferred are more work, then the model itself, then the one
/// that the lessons quote, then the newer one.
bool is_better(const LastStudy& one, const LastStudy& other, std::string_view model) {
  const auto rank = [model](const LastStudy& study) {
    return std::tuple(study.study.input.terms, study.study.results[study.result].model == model,
                      study.folder.generic_string().ends_with(kernel_of(study.study).quoted_record),
                      study.study.created);
  };
  return rank(one) > rank(other);
}

/// Metrics worth comparing, in reading order.
constexpr std::array<std::string_view, 13> telling = {"fp64_flop",
                                                      "scalar_fraction",
                                                      "division_time",
                                                      "l1_bytes",
                                                      "l2_bytes",
                                                      "fp64_pipe",
                                                      "issue",
                                                      "stall_wait",
                                                      "stall_long_scoreboard",
                                                      "l1_hit",
                                                      "dram_bytes",
                                                      "l2_hit",
                                                      "stall_math_pipe_throttle"};

/// The launch with the most registers, which is the step's main kernel; nullptr if unknown.
const Launch* largest_launch(const Result& result) {
  const auto most = std::ranges::max_element(result.launches, {}, &Launch::registers);
  return most == result.launches.end() || most->registers == 0 ? nullptr : &*most;
}

struct Column {
  const StudyRecord& study;
  const Result& result;

  std::string time() const { return roofline::describe_seconds(result.timing().median); }
  std::string speed() const { return fmt::format("{:.2e}", terms_per_second(study, result)); }
  std::string registers() const {
    const Launch* launch = largest_launch(result);
    return launch == nullptr ? "" : std::to_string(launch->registers);
  }
  std::string occupancy() const {
    const Launch* launch = largest_launch(result);
    return launch == nullptr ? "" : roofline::percent_text(100 * launch->occupancy, 0);
  }
  std::string roof() const {
    return result.roofline() ? roofline::percent_text(result.roofline()->percent_of_roof, 0) : "";
  }
  std::string metric(std::string_view name) const {
    const auto found = result.counted.metrics.find(std::string(name));
    return found == result.counted.metrics.end() ? "" : fmt::format("{:.4g}", found->second);
  }
};

/// One row per number that any column has.
template <class Read>
void add_row(roofline::Table& table, std::string label, const std::vector<Column>& columns,
             Read read) {
  std::vector<std::string> cells = {std::move(label)};
  bool any = false;
  for (const Column& column : columns) {
    cells.push_back(read(column));
    any = any || !cells.back().empty();
  }
  if (any) table.add(std::move(cells));
}

std::string metric_label(std::string_view name) {
  const roofline::Metric* metric = roofline::find_metric(name);
  return metric == nullptr ? std::string(name) : fmt::format("{} ({})", name, metric->unit);
}

/// Names the machine and the record of the numbers.
std::string origin_of(const LastStudy& last) {
  const Result& result = last.study.results[last.result];
  const std::string input = fs::path(last.study.input.path).filename().string();
  if (last.folder.empty()) return fmt::format("Run now: {}, {}", result.device, input);
  return fmt::format(
      "The newest record of a machine like this one ({}, {}): {}, of {}. A study of your own takes "
      "its place.",
      result.device, input, folder_text(last), last.study.created.substr(0, 10));
}

}  // namespace

std::vector<DeviceDescription> devices_here(const Kernel& kernel) {
  std::vector<DeviceDescription> devices;
  for (const Runtime* runtime : runtimes_of(kernel.catalog()))
    if (runtime->unavailable().empty()) devices.push_back(runtime->describe());
  return devices;
}

std::vector<RecordedStudy> recorded_studies(const Kernel& kernel, const fs::path& results) {
  std::vector<RecordedStudy> studies;
  for (const fs::path& record : records_under(results)) {
    try {
      StudyRecord study = read_record(record);
      if (study.complete && study.kernel == kernel.name)
        studies.push_back({record.parent_path(), std::move(study)});
    } catch (const roofline::InputError&) {
      continue;  // incomplete, of a later version, or of another kernel
    }
  }
  return studies;
}

std::optional<LastStudy> last_study(const Kernel& kernel, const std::vector<RecordedStudy>& studies,
                                    const Variant& variant, const Variant* before) {
  const std::vector<DeviceDescription> devices = devices_here(kernel);
  return newest_of(studies, variant, before, [&](const StudyRecord& study, const Result& result) {
    return result.timed() && std::ranges::any_of(devices, [&](const DeviceDescription& device) {
             return is_like(study, result, device);
           });
  });
}

std::optional<LastStudy> study_with_lines(const std::vector<RecordedStudy>& studies,
                                          const Variant& variant, const Variant* before) {
  std::optional<LastStudy> best;
  for (const RecordedStudy& recorded : studies) {
    std::optional<LastStudy> found = lines_in(recorded, variant, before);
    if (found && (!best || is_better(*found, *best, variant.model))) best = std::move(found);
  }
  return best;
}

std::optional<LastStudy> study_on_a_host(const std::vector<RecordedStudy>& studies,
                                         const Variant& variant, const Variant* before) {
  return newest_of(studies, variant, before,
                   [](const StudyRecord& /*study*/, const Result& result) {
                     return result.kind == "host" && result.timed() &&
                            result.counted.metrics.contains("scalar_fraction");
                   });
}

bool was_made_here(const LastStudy& study) {
  std::error_code error;
  const fs::file_time_type written = fs::last_write_time(study.folder / "study.json", error);
  if (error) return false;
  const auto time = std::chrono::file_clock::to_sys(written) - std::chrono::hours(24);
  return roofline::utc_text(std::chrono::system_clock::to_time_t(
             std::chrono::time_point_cast<std::chrono::system_clock::duration>(time))) <=
         study.study.created;
}

std::string folder_text(const LastStudy& study) {
  std::error_code error;
  const std::string relative = fs::relative(study.folder, fs::current_path(error), error).string();
  const std::string whole = study.folder.string();
  return roofline::visible(error || relative.empty() || relative.size() > whole.size() ? whole
                                                                                       : relative);
}

std::string last_study_text(const LastStudy& last, const std::string& origin) {
  const Result& result = last.study.results[last.result];
  std::vector<Column> columns;
  std::vector<roofline::Table::Column> titles = {{""}};
  if (last.before) columns.push_back({last.study, last.study.results[*last.before]});
  columns.push_back({last.study, result});
  for (const Column& column : columns)
    titles.push_back({column.result.variant, roofline::Table::Align::right});

  roofline::Table table(titles);
  add_row(table, "time", columns, [](const Column& column) { return column.time(); });
  add_row(table, kernel_of(last.study).work + "/s", columns,
          [](const Column& column) { return column.speed(); });
  add_row(table, "registers", columns, [](const Column& column) { return column.registers(); });
  add_row(table, "occupancy", columns, [](const Column& column) { return column.occupancy(); });
  add_row(table, "% of roof", columns, [](const Column& column) { return column.roof(); });
  for (const std::string_view name : telling)
    add_row(table, metric_label(name), columns,
            [name](const Column& column) { return column.metric(name); });

  std::string text =
      fmt::format("{}\n\n{}", origin.empty() ? origin_of(last) : origin, table.text());
  if (!last.before) return text;
  const Result& before = columns.front().result;
  const std::string why = explained(last.study, result, before);
  return text + fmt::format("\n{} takes {:.2f} times as long as {}.{}\n", result.variant,
                            result.timing().median / before.timing().median, before.variant,
                            why.empty() ? "" : " " + why);
}

nlohmann::ordered_json last_study_json(const LastStudy& last) {
  const Result& result = last.study.results[last.result];
  nlohmann::ordered_json json = {
      {"folder", last.folder.string()},   {"created", last.study.created},
      {"device", result.device},          {"input", last.study.input.path},
      {"time_s", result.timing().median}, {"terms_per_s", terms_per_second(last.study, result)}};
  if (last.before) {
    const Result& before = last.study.results[*last.before];
    json["before"] = {{"variant", before.variant}, {"time_s", before.timing().median}};
  }
  return json;
}

}  // namespace gpp
