// The tables of rocprof (results.csv), of rocprofv3 (counter_collection.csv, a row for each
// counter; kernel_trace.csv; agent_info.csv) and of rocprof-compute (pmc_perf.csv, timestamps.csv,
// roofline.csv, sysinfo.csv).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "roofline/base/csv.h"
#include "roofline/base/error.h"
#include "roofline/base/text.h"
#include "roofline/base/visible.h"
#include "roofline/import/numbers.h"
#include "roofline/import/tables.h"
#include "roofline/metrics.h"

namespace roofline {
namespace {

constexpr const char* anew = "write it anew";

/// A row of a table.
struct Row {
  const TableHeader& header;
  const CsvRow& row;
  NumberStyle style;

  std::string text(std::initializer_list<const char*> names) const {
    const std::string* cell = header.find(row, names);
    return cell == nullptr ? "" : *cell;
  }
  std::optional<double> number(std::initializer_list<const char*> names) const {
    return number_in(text(names), style);
  }
};

constexpr std::array dispatch_columns = {"Dispatch_ID", "Dispatch_Id", "Index"};
constexpr const char* of_timestamps[2][2] = {{"Start_Timestamp", "BeginNs"},
                                             {"End_Timestamp", "EndNs"}};

/// How long a dispatch took, by its time stamps in ns.
std::optional<double> seconds_of(const Row& table) {
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
std::string shape_in(const Row& table) {
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
  DispatchReader(const std::string& file, Names& names) : file_(file), names_(names) {
    result.file = file;
  }

  void take(const Row& row) {
    ImportedLaunch& launch = result.launches[place(row)];
    if (const std::string* counter = row.header.find(row.row, {"Counter_Name"}))
      return take(*counter, row.text({"Counter_Value"}), row, launch);
    for (std::size_t i = 0; i < row.row.cells.size(); ++i)
      take(row.header.row.cells[i], row.row.cells[i], row, launch);
  }

  ImportedTable result;

 private:
  /// The place of the row's dispatch. Rows of several counters share it; else which would count?
  std::size_t place(const Row& row) {
    const std::string number =
        row.text({dispatch_columns[0], dispatch_columns[1], dispatch_columns[2]});
    const std::string launch =
        number.empty() ? fmt::format("row {}", result.launches.size())
                       : fmt::format("{}/{}/{}", row.text({"pid", "PID", "Process_Id"}),
                                     row.text({"GPU_ID", "gpu-id", "Agent_Id"}), number);
    const std::string counter = row.text({"Counter_Name"});
    if (const auto [at, is_new] = lines_.emplace(launch + "/" + counter, row.row.line); !is_new)
      refuse_line(file_, row.row.line,
                  fmt::format("this dispatch stands in line {}, too: which one counts? Write the "
                              "file anew",
                              at->second));
    const auto [at, is_new] = places_.emplace(launch, result.launches.size());
    if (is_new)
      result.launches.push_back({names_.id(kernel_in(row.text({"Kernel_Name", "KernelName"}))),
                                 names_.id(shape_in(row)),
                                 number_in(number, {}).value_or(static_cast<double>(at->second)),
                                 1,
                                 seconds_of(row),
                                 {}});
    return at->second;
  }

  void take(const std::string& name, const std::string& text, const Row& row,
            ImportedLaunch& launch) {
    if (!wanted().contains(name)) return;
    const std::size_t id = names_.id(name);
    const auto value = number_in(text, row.style);
    if (value && *value >= 0)
      launch.values.emplace_back(id, *value);
    else
      result.bad.emplace(std::pair(launch.kernel, id),
                         fmt::format("'{}' in line {} is no count", visible(text), row.row.line));
  }

  const std::string& file_;
  Names& names_;
  std::map<std::string, std::size_t> places_, lines_;
};

}  // namespace

TableKind kind_of(const std::set<std::string>& columns) {
  const auto any = [&columns](const auto& names) {
    return std::ranges::any_of(names,
                               [&columns](const auto& name) { return columns.contains(name); });
  };
  using Texts = std::initializer_list<std::string>;
  if (columns.contains("Kernel Name")) return TableKind::ncu;
  if (columns.contains("HBMBw") && columns.contains("L2Bw")) return TableKind::roofs;
  if (any(Texts{"gpu_arch", "gpu_soc", "Agent_Type"})) return TableKind::device;
  if (!any(Texts{"Kernel_Name", "KernelName"})) return TableKind::none;
  if (any(wanted()) || columns.contains("Counter_Name")) return TableKind::counters;
  if (any(of_timestamps[0]) || columns.contains("DurationNs")) return TableKind::times;
  return any(dispatch_columns) ? TableKind::unknown : TableKind::none;
}

ImportedTable read_rocprof_launches(std::string_view text, const std::string& file, Names& names) {
  // Where commas separate no cells, they may be decimal.
  StyleFinder finder;
  for_each_row(text, file, anew, [&finder](const TableHeader& header, const CsvRow& row) {
    if (header.form.separator != ',')
      for (const std::string& cell : row.cells) finder.look_at(cell, row.line);
  });
  const NumberStyle style = finder.style(file);
  DispatchReader reader(file, names);
  for_each_row(text, file, anew, [&](const TableHeader& header, const CsvRow& row) {
    reader.take({header, row, style});
  });
  if (reader.result.launches.empty())
    throw InputError(visible(file) + ": a header, and no row below it");
  reader.result.times_only = kind_of(columns_in(text)) == TableKind::times;
  return std::move(reader.result);
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

/// Of several devices the first counts.
Ceilings read_rocprof_roofs(std::string_view text, const std::string& file) {
  Ceilings ceilings;
  ceilings.kind = amd_table().device;
  bool first = true;
  for_each_row(text, file, anew, [&](const TableHeader& header, const CsvRow& row) {
    if (!std::exchange(first, false)) return;
    for (const RoofColumn& column : roof_columns) {
      const std::string* cell = header.find(row, {column.column});
      if (cell == nullptr) continue;  // of another chip
      constexpr double giga = 1e9;
      const auto value = number_in(*cell, {});
      if (!value)
        ceilings.missing.push_back({column.name, fmt::format("{} has no number in its column {}",
                                                             visible(file), column.column)});
      else if (!bounds::roof.hold(giga * *value))
        refuse_line(file, row.line, fmt::format("{} cannot be the rate of a GPU", column.column));
      else
        ceilings.list.push_back({column.name,
                                 column.label,
                                 column.kind,
                                 giga * *value,
                                 {},
                                 0,
                                 fmt::format("column {} of {}, as rocprof-compute measured it",
                                             column.column, visible(file)),
                                 {}});
    }
  });
  if (first) throw InputError(visible(file) + ": a header, and no row below it");
  return ceilings;
}

RocprofDevice read_rocprof_device(std::string_view text, const std::string& file) {
  RocprofDevice device;
  for_each_row(text, file, anew, [&device](const TableHeader& header, const CsvRow& row) {
    const std::string* type = header.find(row, {"Agent_Type"});
    if (type != nullptr && *type != "GPU") return;
    if (const std::string* chip = header.find(row, {"gpu_arch", "gpu_soc", "Name"}))
      device.chips.insert(visible(*chip));
    if (const std::string* name = header.find(row, {"gpu_model", "gpu_series", "Product_Name"}))
      device.name = (name->starts_with("AMD") ? "" : "AMD ") + *name;
  });
  return device;
}

}  // namespace roofline
