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

/// The rates of its data sheet, which tells none of L1, shared memory and L2.
Ceilings a100(const char* device, double gigabyte_per_s) {
  constexpr const char* sheet =
      "NVIDIA, A100 Tensor Core GPU data sheet and white paper, 2020-2022";
  Ceilings roofs = {fmt::format("{} (data sheet: no L1, shared memory and L2)", device),
                    "gpu",
                    "",
                    "",
                    0,
                    {compute("fp64_fma", "FP64, FMA", 9700, sheet),
                     compute("fp32_fma", "FP32, FMA", 19500, sheet),
                     compute("fp16_fma", "FP16, FMA", 78000, sheet),
                     compute("fp64_tensor", "FP64 tensor", 19500, sheet),
                     compute("tf32_tensor", "TF32 tensor", 156000, sheet),
                     compute("bf16_tensor", "BF16 tensor", 312000, sheet),
                     compute("fp16_tensor", "FP16 tensor", 312000, sheet),
                     compute("int8_tensor", "INT8 tensor", 624000, sheet),
                     bandwidth("dram", "DRAM", gigabyte_per_s, sheet)}};
  for (const char* level : {"l1", "shared", "l2"})
    roofs.missing.push_back({level, "NVIDIA's data sheet does not tell it"});
  return roofs;
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
  std::vector<std::pair<std::string, std::function<Ceilings()>>> list = {
      {"v100", v100},
      {"mi250x", mi250x},
      {"a100", [] { return a100("NVIDIA A100 40 GB", 1555); }},
      {"a100-80gb", [] { return a100("NVIDIA A100 80 GB", 2039); }},
      {"a100-80gb-pcie", [] { return a100("NVIDIA A100 80 GB PCIe", 1935); }}};
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
  const auto says = [&device](const char* part) { return device.find(part) != device.npos; };
  // A part of a card, by MIG, is none.
  if (kind == "gpu" && (says("A100-") || says("A100 ")) && !says("MIG"))
    return !says("80GB") ? "a100" : says("PCIe") ? "a100-80gb-pcie" : "a100-80gb";
  for (const auto& [name, roofs] : all())
    if (const Ceilings known = roofs(); known.device == device && known.kind == kind) return name;
  return {};
}

}  // namespace roofline
