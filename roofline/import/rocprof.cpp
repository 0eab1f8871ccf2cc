// The tables of rocprof (results.csv) and of rocprof-compute (pmc_perf.csv, timestamps.csv,
// roofline.csv, sysinfo.csv).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "roofline/base/csv.h"
#include "roofline/base/error.h"
#include "roofline/base/visible.h"
#include "roofline/import/numbers.h"
#include "roofline/import/tables.h"

namespace roofline {
namespace {

/// A plain table: one header, then rows as wide.
class Table {
 public:
  Table(std::string_view text, const std::string& file) {
    CsvReader reader(text, file);
    header_ = reader.row();
    columns_ = columns_of(header_, file, "write it anew");
    while (!reader.at_end()) {
      CsvRow row = reader.row();
      if (row.cells.size() == 1 && row.cells.front().empty()) continue;
      if (row.cells.size() != header_.cells.size())
        refuse_line(file, row.line,
                    fmt::format("{} cells below a header of {}: the file is cut off or was edited; "
                                "write it anew",
                                row.cells.size(), header_.cells.size()));
      rows_.push_back(std::move(row));
    }
    if (rows_.empty()) throw InputError(visible(file) + ": a header, and no row below it");
  }

  const std::vector<CsvRow>& rows() const { return rows_; }
  const std::vector<std::string>& names() const { return header_.cells; }

  /// The cell below the first of these columns that is there; nullptr where none is.
  const std::string* find(const CsvRow& row, std::initializer_list<const char*> names) const {
    for (const char* name : names)
      if (const auto at = columns_.find(name); at != columns_.end()) return &row.cells[at->second];
    return nullptr;
  }

  std::optional<double> number(const CsvRow& row, std::initializer_list<const char*> names) const {
    const std::string* cell = find(row, names);
    return cell == nullptr ? std::nullopt : number_in(*cell, NumberStyle{});
  }

 private:
  CsvRow header_;
  std::map<std::string, std::size_t> columns_;
  std::vector<CsvRow> rows_;
};

/// How long a dispatch took, by its time stamps in ns.
std::optional<double> seconds_of(const Table& table, const CsvRow& row) {
  if (const auto ns = table.number(row, {"DurationNs"}); ns && *ns > 0) return *ns * 1e-9;
  const auto begin = table.number(row, {"Start_Timestamp", "BeginNs"});
  const auto end = table.number(row, {"End_Timestamp", "EndNs"});
  if (!begin || !end || !(*end > *begin)) return std::nullopt;
  return (*end - *begin) * 1e-9;
}

/// Refuses dispatches that stand twice: which one would count?
class Dispatches {
 public:
  explicit Dispatches(const std::string& file) : file_(file) {}

  void add(const Table& table, const CsvRow& row) {
    const std::string* const number = table.find(row, {"Dispatch_ID", "Index"});
    if (number == nullptr) return;
    const std::string* const process = table.find(row, {"pid"});
    const std::string* const device = table.find(row, {"GPU_ID", "gpu-id"});
    const std::string name = fmt::format("{}/{}/{}", process == nullptr ? "" : *process,
                                         device == nullptr ? "" : *device, *number);
    const auto [at, is_new] = lines_.emplace(name, row.line);
    if (!is_new)
      refuse_line(file_, row.line,
                  fmt::format("this dispatch stands in line {}, too: which one counts? Write the "
                              "file anew",
                              at->second));
  }

 private:
  const std::string& file_;
  std::map<std::string, std::size_t> lines_;
};

std::optional<long long> dispatch_of(const Table& table, const CsvRow& row) {
  const auto number = table.number(row, {"Dispatch_ID", "Index"});
  return number && *number >= 0 && *number < 1e15 ? std::optional(static_cast<long long>(*number))
                                                  : std::nullopt;
}

/// The names of the columns; none where the text does not begin like a table.
std::set<std::string> header_of(std::string_view text) {
  try {
    const CsvRow header = CsvReader(text, "").row();
    return {header.cells.begin(), header.cells.end()};
  } catch (const InputError&) {
    return {};
  }
}

/// The counters that the models of AMD's GPUs ask for.
const std::set<std::string>& wanted() {
  static const std::set<std::string> names = [] {
    std::set<std::string> all;
    for (const Metric& metric : amd_table().metrics)
      for (const std::string& name : counters_of(metric)) all.insert(name);
    return all;
  }();
  return names;
}

/// How roofline.csv names a roof, and what it is in the table's unit.
struct RoofColumn {
  const char* column;
  const char* name;
  const char* label;
  CeilingKind kind;
};
constexpr std::array roof_columns = {
    RoofColumn{"L1Bw", "l1", "vL1D", CeilingKind::bandwidth},
    RoofColumn{"LDSBw", "shared", "LDS", CeilingKind::bandwidth},
    RoofColumn{"L2Bw", "l2", "L2", CeilingKind::bandwidth},
    RoofColumn{"HBMBw", "dram", "HBM", CeilingKind::bandwidth},
    RoofColumn{"FP64Flops", "fp64_fma", "FP64, FMA", CeilingKind::compute},
    RoofColumn{"FP32Flops", "fp32_fma", "FP32, FMA", CeilingKind::compute},
    RoofColumn{"MFMAF64Flops", "fp64_tensor", "FP64 MFMA", CeilingKind::compute},
    RoofColumn{"MFMAF32Flops", "fp32_tensor", "FP32 MFMA", CeilingKind::compute},
    RoofColumn{"MFMABF16Flops", "bf16_tensor", "BF16 MFMA", CeilingKind::compute},
    RoofColumn{"MFMAF16Flops", "fp16_tensor", "FP16 MFMA", CeilingKind::compute},
    RoofColumn{"MFMAI8Ops", "int8_tensor", "INT8 MFMA", CeilingKind::compute}};

}  // namespace

RocprofTable rocprof_table(std::string_view text) {
  const std::set<std::string> header = header_of(text);
  const auto any = [&header](const auto& names) {
    return std::ranges::any_of(names,
                               [&header](const auto& name) { return header.contains(name); });
  };
  using Names = std::initializer_list<std::string>;
  if (header.contains("HBMBw") && header.contains("L2Bw")) return RocprofTable::roofs;
  if (header.contains("gpu_arch") && header.contains("gpu_model")) return RocprofTable::system;
  if (!any(Names{"Kernel_Name", "KernelName"})) return RocprofTable::none;
  if (any(wanted())) return RocprofTable::counters;
  return any(Names{"Start_Timestamp", "BeginNs", "DurationNs"}) ? RocprofTable::times
                                                                : RocprofTable::none;
}

std::vector<ImportedLaunch> read_rocprof_counters(std::string_view text, const std::string& file) {
  const Table table(text, file);
  std::vector<ImportedLaunch> launches;
  Dispatches dispatches(file);
  for (const CsvRow& row : table.rows()) {
    dispatches.add(table, row);
    ImportedLaunch launch;
    launch.kernel = *table.find(row, {"Kernel_Name", "KernelName"});
    launch.seconds = seconds_of(table, row);
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      const std::string& name = table.names()[i];
      if (!wanted().contains(name)) continue;
      const auto value = number_in(row.cells[i], NumberStyle{});
      if (value && *value >= 0)
        launch.counters[name] = *value;
      else
        launch.missing.push_back(
            {name, fmt::format("'{}' in line {} is no count", visible(row.cells[i]), row.line)});
    }
    launches.push_back(std::move(launch));
  }
  return launches;
}

std::map<long long, double> read_rocprof_times(std::string_view text, const std::string& file) {
  const Table table(text, file);
  std::map<long long, double> times;
  Dispatches dispatches(file);
  for (const CsvRow& row : table.rows()) {
    dispatches.add(table, row);
    const auto number = dispatch_of(table, row);
    const auto seconds = seconds_of(table, row);
    if (!number || !seconds)
      refuse_line(file, row.line, "a dispatch without its number, or without its begin and end");
    times[*number] = *seconds;
  }
  return times;
}

Ceilings read_rocprof_roofs(std::string_view text, const std::string& file) {
  const Table table(text, file);
  const CsvRow& row = table.rows().front();
  Ceilings ceilings;
  ceilings.kind = amd_table().device;
  for (const RoofColumn& column : roof_columns) {
    constexpr double giga = 1e9;
    const auto value = table.number(row, {column.column});
    const double rate = giga * value.value_or(0);
    if (!value)
      ceilings.missing.push_back({column.name, fmt::format("{} has no number in its column {}",
                                                           visible(file), column.column)});
    else if (!bounds::roof.hold(rate))
      refuse_line(file, row.line, fmt::format("{} cannot be the rate of a GPU", column.column));
    else
      ceilings.list.push_back({column.name,
                               column.label,
                               column.kind,
                               rate,
                               {},
                               0,
                               fmt::format("column {} of {}, as rocprof-compute measured it",
                                           column.column, visible(file)),
                               {}});
  }
  return ceilings;
}

std::string read_rocprof_device(std::string_view text, const std::string& file) {
  const Table table(text, file);
  const std::string* model = table.find(table.rows().front(), {"gpu_model"});
  return model == nullptr ? "" : "AMD " + *model;
}

}  // namespace roofline
