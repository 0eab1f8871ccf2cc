#include "roofline/import/import.h"

#include <utility>

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

const std::vector<std::pair<std::string, Ceilings>>& all() {
  static const std::vector<std::pair<std::string, Ceilings>> list = {{"v100", v100()},
                                                                     {"mi250x", mi250x()}};
  return list;
}

}  // namespace

const Ceilings* published_roofs(std::string_view name) {
  for (const auto& [known, ceilings] : all())
    if (known == name) return &ceilings;
  return nullptr;
}

std::vector<std::string> published_names() {
  std::vector<std::string> names;
  for (const auto& [name, ceilings] : all()) names.push_back(name);
  return names;
}

}  // namespace roofline
