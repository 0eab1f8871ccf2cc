#include "roofline/import/import.h"

#include <functional>
#include <stdexcept>
#include <utility>

#include "roofline/import/tables.h"

namespace roofline {
namespace {

Ceiling compute(const char* name, const char* label, double gigaflop_per_s, const char* source) {
  return {name, label, CeilingKind::compute, 1e9 * gigaflop_per_s, {}, 0, source, {}};
}

Ceiling bandwidth(const char* name, const char* label, double gigabyte_per_s, const char* source) {
  return {name, label, CeilingKind::bandwidth, 1e9 * gigabyte_per_s, {}, 0, source, {}};
}

/// Measured with the Empirical Roofline Toolkit; the rate of L1 is the theoretical one.
Ceilings v100() {
  constexpr const char* yang = "Yang 2019, Hierarchical Roofline Analysis, on a V100";
  return {"NVIDIA V100 (published)",
          "gpu",
          "",
          "",
          0,
          {compute("fp64_fma", "FP64, FMA", 7068.9, yang),
           compute("fp64_no_fma", "FP64, no FMA", 3535.8, yang), bandwidth("l1", "L1", 14336, yang),
           bandwidth("l2", "L2", 2996.77, yang), bandwidth("dram", "DRAM", 828.758, yang),
           compute("issue", "warp instructions", 489.6,
                   "Ding and Williams 2019: 80 multiprocessors x 4 schedulers x 1.53 GHz")}};
}

/// The rates are those of one of the two dies.
Ceilings mi250x() {
  constexpr const char* lu = "Lu and Wolfe 2022, Hierarchical Roofline on AMD Instinct MI200 GPUs";
  return {
      "AMD MI250X, one die (published)",
      "amd",
      "",
      "",
      0,
      {compute("fp64_fma", "FP64, FMA", 18336.2, lu), compute("fp32_fma", "FP32, FMA", 18977.7, lu),
       compute("fp64_tensor", "FP64 MFMA", 36978.4, lu),
       compute("fp32_tensor", "FP32 MFMA", 37200.4, lu),
       compute("bf16_tensor", "BF16 MFMA", 153763.7, lu),
       compute("fp16_tensor", "FP16 MFMA", 147890.9, lu), bandwidth("l1", "vL1D", 8262.6, lu),
       bandwidth("shared", "LDS", 18780.4, lu), bandwidth("l2", "L2", 4321.3, lu),
       bandwidth("dram", "HBM", 1382.7, lu)}};
}

Ceilings measured(const EmbeddedText& record) {
  for (Ceilings& ceilings :
       read_roofs(std::string(record.text), "results/" + std::string(record.path)))
    if (ceilings.kind == "gpu") return std::move(ceilings);
  throw std::logic_error("no roofs of a GPU in results/" + std::string(record.path));
}

/// A measured card is called by the folder of its results. Records are read when they are needed:
/// they are long, and each help lists the names.
std::vector<std::pair<std::string, std::function<Ceilings()>>> all() {
  std::vector<std::pair<std::string, std::function<Ceilings()>>> list = {{"v100", v100},
                                                                         {"mi250x", mi250x}};
  for (const EmbeddedText& record : embedded_roofs())
    list.emplace_back(record.path.substr(0, record.path.find('/')),
                      [record] { return measured(record); });
  return list;
}

}  // namespace

std::optional<Ceilings> published_roofs(std::string_view name) {
  for (const auto& [known, roofs] : all())
    if (known == name) return roofs();
  return std::nullopt;
}

std::vector<std::string> published_names() {
  std::vector<std::string> names;
  for (const auto& [name, roofs] : all()) names.push_back(name);
  return names;
}

std::string published_name(const std::string& device, const std::string& kind) {
  for (const auto& [name, roofs] : all())
    if (const Ceilings known = roofs(); known.device == device && known.kind == kind) return name;
  return {};
}

}  // namespace roofline
