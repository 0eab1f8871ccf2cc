// The tables of rocprof (results.csv), of rocprofv3 (counter_collection.csv, a row for each
// counter; kernel_trace.csv; agent_info.csv) and of rocprof-compute (pmc_perf.csv, timestamps.csv,
// roofline.csv, sysinfo.csv).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "roofline/base/csv.h"
#include "roofline/base/error.h"
#include "roofline/base/text.h"
#include "roofline/base/visible.h"
#include "roofline/import/numbers.h"
#include "roofline/import/tables.h"
#include "roofline/metrics.h"

namespace roofline {
namespace {

/// A plain table: one header, then rows as wide.
class Table {
 public:
  Table(std::string_view text, const std::string& file) : file_(file), reader_(text, file) {
    // A spreadsheet may have told its separator in a line of its own: "sep=;".
    if (reader_.next_line().starts_with("sep=")) reader_.skip_line();
    separator_ = separator_of(reader_.next_line());
    reader_.separate_by(separator_);
    header_ = reader_.row();
    columns_ = columns_of(header_, file, "write it anew");
  }

  /// Takes the next row; false at the end. Throws InputError where there is none at all.
  bool next() {
    while (!reader_.at_end()) {
      row_ = reader_.row();
      if (row_.cells.size() == 1 && row_.cells.front().empty()) continue;
      if (row_.cells.size() != header_.cells.size())
        refuse_line(file_, row_.line,
                    fmt::format("{} cells below a header of {}: the file is cut off or was edited; "
                                "write it anew",
                                row_.cells.size(), header_.cells.size()));
      any_ = true;
      return true;
    }
    if (!any_) throw InputError(visible(file_) + ": a header, and no row below it");
    return false;
  }

  const CsvRow& row() const { return row_; }
  const std::vector<std::string>& names() const { return header_.cells; }

  /// The cell below the first of these columns that is there; nullptr where none is.
  const std::string* find(std::initializer_list<const char*> names) const {
    for (const char* name : names)
      if (const auto at = columns_.find(name); at != columns_.end()) return &row_.cells[at->second];
    return nullptr;
  }

  std::optional<double> number(std::initializer_list<const char*> names) const {
    const std::string* cell = find(names);
    return cell == nullptr ? std::nullopt : number_in(*cell, style_);
  }

  std::optional<double> number_at(std::size_t column) const {
    return number_in(row_.cells[column], style_);
  }

  /// Finds how numbers are written, of a table that is read for that alone, and takes it over.
  void take_style(Table&& other) {
    StyleFinder finder;
    while (other.next())
      for (const std::string& cell : other.row_.cells) finder.look_at(cell, other.row_.line);
    style_ = finder.style(file_);
  }
  /// Where commas separate no cells, they may be decimal.
  bool may_have_decimal_commas() const { return separator_ != ','; }

 private:
  const std::string& file_;
  CsvReader reader_;
  char separator_ = ',';
  NumberStyle style_;
  CsvRow header_, row_;
  std::map<std::string, std::size_t> columns_;
  bool any_ = false;
};

constexpr std::array dispatch_columns = {"Dispatch_ID", "Dispatch_Id", "Index"};
constexpr const char* of_timestamps[2][2] = {{"Start_Timestamp", "BeginNs"},
                                             {"End_Timestamp", "EndNs"}};

/// How long a dispatch took, by its time stamps in ns.
std::optional<double> seconds_of(const Table& table) {
  if (const auto ns = table.number({"DurationNs"}); ns && *ns > 0) return *ns * 1e-9;
  const auto begin = table.number({of_timestamps[0][0], of_timestamps[0][1]});
  const auto end = table.number({of_timestamps[1][0], of_timestamps[1][1]});
  if (!begin || !end || !(*end > *begin)) return std::nullopt;
  return (*end - *begin) * 1e-9;
}

/// Without the suffix of its symbol, which some of the programs leave away.
std::string kernel_in(std::string_view cell) {
  for (const std::string_view suffix : {" [clone .kd]", " (.kd)", ".kd"})
    if (cell.ends_with(suffix)) cell.remove_suffix(suffix.size());
  return visible(demangled(std::string(cell)));
}

/// Numbers of threads in a grid and in a work group, whichever way they are told.
std::string shape_in(const Table& table) {
  const auto threads = [&table](std::initializer_list<const char*> whole,
                                const std::array<const char*, 3>& sides) {
    if (const auto number = table.number(whole)) return *number;
    double product = 1;
    for (const char* side : sides) product *= table.number({side}).value_or(0);
    return product;
  };
  const double grid = threads({"Grid_Size", "grd"}, {"Grid_Size_X", "Grid_Size_Y", "Grid_Size_Z"});
  const double group = threads({"Workgroup_Size", "wgr"},
                               {"Workgroup_Size_X", "Workgroup_Size_Y", "Workgroup_Size_Z"});
  return grid > 0 && group > 0 ? fmt::format("{}/{}", grid, group) : "";
}

/// The names of the columns; none where the text does not begin like a table.
std::set<std::string> header_of(std::string_view text) {
  try {
    const Table table(text, "");
    return {table.names().begin(), table.names().end()};
  } catch (const InputError&) {
    return {};
  }
}

/// The counters that the models of AMD's GPUs ask for, of any family.
const std::set<std::string>& wanted() {
  static const std::set<std::string> names = [] {
    std::set<std::string> all;
    for (const ModelTable* table : all_tables())
      if (table->vendor == amd_table().vendor)
        for (const Metric& metric : table->metrics)
          for (const std::string& name : counters_of(metric, true)) all.insert(name);
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
    RoofColumn{"FP16Flops", "fp16_fma", "FP16, FMA", CeilingKind::compute},
    RoofColumn{"MFMAF64Flops", "fp64_tensor", "FP64 MFMA", CeilingKind::compute},
    RoofColumn{"MFMAF32Flops", "fp32_tensor", "FP32 MFMA", CeilingKind::compute},
    RoofColumn{"MFMABF16Flops", "bf16_tensor", "BF16 MFMA", CeilingKind::compute},
    RoofColumn{"MFMAF16Flops", "fp16_tensor", "FP16 MFMA", CeilingKind::compute},
    RoofColumn{"MFMAF8Flops", "fp8_tensor", "FP8 MFMA", CeilingKind::compute},
    RoofColumn{"MFMAF6F4Flops", "fp6_tensor", "FP6 and FP4 MFMA", CeilingKind::compute},
    RoofColumn{"MFMAI8Ops", "int8_tensor", "INT8 MFMA", CeilingKind::compute}};

/// Takes the rows of a table of dispatches.
class DispatchReader {
 public:
  DispatchReader(std::string_view text, const std::string& file, Names& names)
      : table_(text, file), file_(file), names_(names) {
    if (table_.may_have_decimal_commas()) table_.take_style(Table(text, file));
    result_.file = file;
  }

  ImportedTable read() {
    while (table_.next()) {
      ImportedLaunch& launch = result_.launches[place()];
      if (table_.find({"Counter_Name"}) != nullptr)
        take_row(launch);
      else
        take_columns(launch);
    }
    return std::move(result_);
  }

 private:
  std::string cell(std::initializer_list<const char*> names) const {
    const std::string* found = table_.find(names);
    return found == nullptr ? "" : *found;
  }

  /// The place of the row's dispatch. Rows of several counters share it; else which would count?
  std::size_t place() {
    const std::string number =
        cell({dispatch_columns[0], dispatch_columns[1], dispatch_columns[2]});
    const std::string device = cell({"GPU_ID", "gpu-id", "Agent_Id"});
    const std::string process = cell({"pid", "PID", "Process_Id"});
    const std::string name = number.empty() ? fmt::format("row {}", result_.launches.size())
                                            : fmt::format("{}/{}/{}/{}", process, device, number,
                                                          cell({"Counter_Name"}));
    if (const auto [at, is_new] = lines_.emplace(name, table_.row().line); !is_new)
      refuse_line(file_, table_.row().line,
                  fmt::format("this dispatch stands in line {}, too: which one counts? Write the "
                              "file anew",
                              at->second));
    const std::string launch = name.substr(0, number.empty() ? name.npos : name.rfind('/'));
    const auto [at, is_new] = places_.emplace(launch, result_.launches.size());
    if (is_new)
      result_.launches.push_back({names_.id(kernel_in(cell({"Kernel_Name", "KernelName"}))),
                                  names_.id(shape_in(table_)),
                                  number_in(number, {}).value_or(static_cast<double>(at->second)),
                                  1,
                                  seconds_of(table_),
                                  {}});
    return at->second;
  }

  void take_columns(ImportedLaunch& launch) {
    for (std::size_t i = 0; i < table_.names().size(); ++i) take(table_.names()[i], i, launch);
  }

  void take_row(ImportedLaunch& launch) {
    const std::size_t value = static_cast<std::size_t>(
        std::ranges::find(table_.names(), "Counter_Value") - table_.names().begin());
    if (value < table_.names().size()) take(cell({"Counter_Name"}), value, launch);
  }

  void take(const std::string& name, std::size_t column, ImportedLaunch& launch) {
    if (!wanted().contains(name)) return;
    const std::size_t id = names_.id(name);
    const auto value = table_.number_at(column);
    if (value && *value >= 0)
      launch.values.emplace_back(id, *value);
    else
      result_.bad.emplace(std::pair(launch.kernel, id),
                          fmt::format("'{}' in line {} is no count",
                                      visible(table_.row().cells[column]), table_.row().line));
  }

  Table table_;
  const std::string& file_;
  Names& names_;
  ImportedTable result_;
  std::map<std::string, std::size_t> places_, lines_;
};

}  // namespace

RocprofTable rocprof_table(std::string_view text) {
  const std::set<std::string> header = header_of(text);
  const auto any = [&header](const auto& names) {
    return std::ranges::any_of(names,
                               [&header](const auto& name) { return header.contains(name); });
  };
  using Texts = std::initializer_list<std::string>;
  if (header.contains("HBMBw") && header.contains("L2Bw")) return RocprofTable::roofs;
  if (any(Texts{"gpu_arch", "gpu_soc"})) return RocprofTable::system;
  if (header.contains("Agent_Type") && header.contains("Name")) return RocprofTable::agents;
  if (!any(Texts{"Kernel_Name", "KernelName"})) return RocprofTable::none;
  if (any(wanted()) || header.contains("Counter_Name")) return RocprofTable::counters;
  return any(of_timestamps[0]) || header.contains("DurationNs") ? RocprofTable::times
                                                                : RocprofTable::none;
}

bool rocprof_dispatches(std::string_view text) {
  const std::set<std::string> header = header_of(text);
  return std::ranges::any_of(dispatch_columns,
                             [&header](const char* name) { return header.contains(name); });
}

ImportedTable read_rocprof_launches(std::string_view text, const std::string& file, Names& names) {
  ImportedTable table = DispatchReader(text, file, names).read();
  table.times_only = rocprof_table(text) == RocprofTable::times;
  return table;
}

std::vector<KernelProfile> rocprof_kernels(ImportedTable& table, const Names& names) {
  return by_kernel(table, names, [&](const ImportedLaunch& launch) {
    LaunchCounts counts;
    for (const auto& [name, value] : launch.values) counts.counters[names[name]] = value;
    for (const auto& [place, why] : table.bad)
      if (place.first == launch.kernel && launch.find(place.second) == nullptr)
        counts.missing.push_back({names[place.second], why});
    return counts;
  });
}

Ceilings read_rocprof_roofs(std::string_view text, const std::string& file) {
  Table table(text, file);
  table.next();
  Ceilings ceilings;
  ceilings.kind = amd_table().device;
  for (const RoofColumn& column : roof_columns) {
    constexpr double giga = 1e9;
    const auto value = table.number({column.column});
    const double rate = giga * value.value_or(0);
    if (table.find({column.column}) == nullptr) continue;  // of another chip
    if (!value)
      ceilings.missing.push_back({column.name, fmt::format("{} has no number in its column {}",
                                                           visible(file), column.column)});
    else if (!bounds::roof.hold(rate))
      refuse_line(file, table.row().line,
                  fmt::format("{} cannot be the rate of a GPU", column.column));
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

RocprofDevice read_rocprof_device(std::string_view text, const std::string& file) {
  RocprofDevice device;
  for (Table table(text, file); table.next();) {
    const std::string* type = table.find({"Agent_Type"});
    if (type != nullptr && *type != "GPU") continue;
    if (const std::string* chip = table.find({"gpu_arch", "gpu_soc", "Name"}))
      device.chips.insert(visible(*chip));
    if (const std::string* name = table.find({"gpu_model", "gpu_series", "Product_Name"}))
      device.name = (name->starts_with("AMD") ? "" : "AMD ") + *name;
    if (type == nullptr) break;
  }
  return device;
}

}  // namespace roofline
