// The tables of rocprof (results.csv), of rocprofv3 (counter_collection.csv, a row for each
// counter; kernel_trace.csv; agent_info.csv) and of rocprof-compute (pmc_perf.csv, timestamps.csv,
// roofline.csv, sysinfo.csv).
#include <fmt/format.h>

#include <set>
#include <utility>

#include "roofline/base/error.h"
#include "roofline/base/visible.h"
#include "roofline/import/tables.h"
#include "roofline/metrics.h"

namespace roofline {
namespace {

constexpr const char* anew = "write it anew";

/// How roofline.csv names a roof.
struct RoofColumn {
  const char* column;
  const char* name;
  const char* label;
};
constexpr RoofColumn roof_columns[] = {{"L1Bw", "l1", "vL1D"},
                                       {"LDSBw", "shared", "LDS"},
                                       {"L2Bw", "l2", "L2"},
                                       {"HBMBw", "dram", "HBM"},
                                       {"FP64Flops", "fp64_fma", "FP64, FMA"},
                                       {"FP32Flops", "fp32_fma", "FP32, FMA"},
                                       {"FP16Flops", "fp16_fma", "FP16, FMA"},
                                       {"MFMAF64Flops", "fp64_tensor", "FP64 MFMA"},
                                       {"MFMAF32Flops", "fp32_tensor", "FP32 MFMA"},
                                       {"MFMABF16Flops", "bf16_tensor", "BF16 MFMA"},
                                       {"MFMAF16Flops", "fp16_tensor", "FP16 MFMA"},
                                       {"MFMAF8Flops", "fp8_tensor", "FP8 MFMA"},
                                       {"MFMAF6F4Flops", "fp6_tensor", "FP6 and FP4 MFMA"},
                                       {"MFMAI8Ops", "int8_tensor", "INT8 MFMA"}};

}  // namespace

/// The counters that the models of AMD's GPUs ask for, of any family.
bool is_rocprof_counter(const std::string& name) {
  static const std::set<std::string> names = [] {
    std::set<std::string> all;
    for (const ModelTable* table : all_tables())
      if (table->vendor == amd_table().vendor)
        for (const Metric& metric : table->metrics)
          for (const std::string& one : counters_of(metric, true)) all.insert(one);
    return all;
  }();
  return names.contains(name);
}

LaunchCounts rocprof_counts(ImportedLaunch& launch, const ImportedTable& table) {
  LaunchCounts counts;
  for (const auto& [name, value] : launch.values) counts.counters[std::string(name)] = value;
  for (const auto& [place, why] : table.bad)
    if (place.first == launch.kernel && launch.find(place.second) == nullptr)
      counts.missing.push_back({std::string(place.second), why});
  return counts;
}

Ceilings read_rocprof_roofs(std::string_view text, const std::string& file) {
  constexpr double giga = 1e9;
  Ceilings ceilings;
  ceilings.kind = amd_table().device;
  bool first = true;
  for_each_row(text, file, anew, [&](const TableHeader& header, const CsvRow& row) {
    if (!std::exchange(first, false)) return;
    for (const auto& [column, name, label] : roof_columns) {
      const std::string* cell = header.find(row, {column});
      if (cell == nullptr) continue;  // of another chip
      const std::string from = fmt::format("column {} of {}", column, visible(file));
      const auto value = number_in(*cell);
      if (!value)
        ceilings.missing.push_back({name, "no number in " + from});
      else if (!bounds::roof.hold(giga * *value))
        refuse_line(file, row.line, fmt::format("{} cannot be the rate of a GPU", column));
      else
        ceilings.list.push_back({name,
                                 label,
                                 std::string_view(column).ends_with("Bw") ? CeilingKind::bandwidth
                                                                          : CeilingKind::compute,
                                 giga * *value,
                                 {},
                                 0,
                                 from + ", as rocprof-compute measured it",
                                 {}});
    }
  });
  if (first) refuse_file(file, "a header, and no row below it");
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
