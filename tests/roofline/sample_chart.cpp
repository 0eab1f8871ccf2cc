#include "tests/roofline/sample_chart.h"

#include <fmt/format.h>

#include <array>

namespace roofline::test {
namespace {

Ceiling compute(const char* name, const char* label, double measured, double theoretical) {
  return {name, label, CeilingKind::compute, measured, theoretical, 1980, "", {}};
}
Ceiling bandwidth(const char* name, const char* label, double measured,
                  std::optional<double> theoretical = std::nullopt) {
  return {name, label, CeilingKind::bandwidth, measured, theoretical, 1980, "", {}};
}

struct Row {
  double flop, seconds, alpha, l1, l2, dram;  // FLOP, s, share of FMA, bytes
};

Step step(std::size_t number, const Row& row, const Ceilings& roofs, bool analytic) {
  const char* const l2 = roofs.kind == "host" ? "l2_bytes" : "l2_sm_bytes";
  Metrics metrics = {{"fp64_flop", row.flop},
                     {"shared_bytes", 0},
                     {"l1_bytes", row.l1},
                     {l2, row.l2},
                     {"dram_bytes", row.dram}};
  if (row.alpha > 0) metrics["fp64_fma_fraction"] = row.alpha;
  const CountedBy source = analytic ? CountedBy::analytic : CountedBy::cupti;
  return {fmt::format("v{}", number),
          roofline_points(metrics, row.seconds, source, roofs).points.at(0)};
}

}  // namespace

Ceilings large_gpu() {
  Ceilings roofs{"NVIDIA H200", "gpu", "CUDA 13.0", "2026-01-01T00:00:00Z", 12, {}};
  roofs.list = {compute("fp64_fma", "FP64, FMA", 33.1e12, 33.45e12),
                compute("fp64_no_fma", "FP64, no FMA", 16.6e12, 16.73e12),
                compute("fp64_operands_2", "2 operands", 32.9e12, 33.45e12),
                compute("fp64_operands_3", "3 operands", 22.1e12, 22.3e12),
                compute("fp32_fma", "FP32, FMA", 66e12, 66.9e12),
                bandwidth("shared", "shared memory", 32.4e12, 33.4e12),
                bandwidth("l1", "L1", 32.0e12, 33.4e12),
                bandwidth("l2", "L2", 7.4e12),
                bandwidth("dram", "HBM", 4.1e12, 4.8e12)};
  return roofs;
}

Ceilings processor() {
  Ceilings roofs{"a processor of two cores", "host", "", "2026-01-01T00:00:00Z", 5, {}};
  roofs.list = {compute("fp64_fma", "FP64, FMA", 110e9, 118e9),
                compute("fp64_no_fma", "FP64, no FMA", 56e9, 59e9), bandwidth("l1", "L1", 700e9),
                bandwidth("l2", "L2", 240e9), bandwidth("dram", "DRAM", 21e9)};
  return roofs;
}

std::vector<Step> ladder() {
  // Times are those measured on an H200; FLOPs are near those of Yang 2019; bytes are plausible.
  constexpr std::array<Row, 12> rows = {{{3.71e12, 0.3049, 0.32, 2.2e12, 4.6e11, 2.4e10},
                                         {3.71e12, 0.2999, 0.32, 2.3e12, 1.9e11, 1.2e10},
                                         {3.71e12, 0.3053, 0.32, 2.3e12, 2.0e11, 1.25e10},
                                         {3.52e12, 0.2323, 0.33, 2.4e12, 3.1e11, 2.0e10},
                                         {3.52e12, 0.2419, 0.33, 1.9e12, 2.9e11, 1.9e10},
                                         {3.30e12, 0.2845, 0.36, 1.6e12, 2.9e11, 1.9e10},
                                         {2.09e12, 0.2371, 0.45, 1.55e12, 2.8e11, 1.8e10},
                                         {1.99e12, 0.2214, 0.44, 1.5e12, 2.8e11, 1.8e10},
                                         {2.00e12, 0.1299, 0.44, 1.5e12, 9.0e10, 3.1e9},
                                         {2.00e12, 0.1188, 0.44, 4.1e11, 8.7e10, 3.0e9},
                                         {6.40e11, 0.03576, 0.62, 6.5e10, 2.1e10, 2.2e9},
                                         {4.30e11, 0.02442, 0.66, 5.1e10, 1.9e10, 2.1e9}}};
  std::vector<Step> steps;
  const Ceilings roofs = large_gpu();
  for (std::size_t i = 0; i < rows.size(); ++i) steps.push_back(step(i + 1, rows[i], roofs, false));
  return steps;
}

std::vector<Step> analytic_ladder() {
  // From the record of silicon8 on two cores: 6.2e7 terms.
  constexpr std::array<double, 11> flop_per_term = {151, 151, 151, 143, 143, 134,
                                                    85,  81,  81,  40,  29};
  constexpr std::array<double, 11> seconds = {1.061,  0.7762, 0.8085, 0.7487,  0.6976, 0.7209,
                                              0.5331, 0.1347, 0.1585, 0.02644, 0.02398};
  std::vector<Step> steps;
  const Ceilings roofs = processor();
  for (std::size_t i = 0; i < seconds.size(); ++i)
    steps.push_back(step(i < 9 ? i + 1 : i + 2,
                         {6.2e7 * flop_per_term[i], seconds[i], 0, 0, 0, 2.4e7}, roofs, true));
  return steps;
}

RooflineChart gpu_chart() { return make_chart(large_gpu(), ladder()).value(); }

RooflineChart host_chart() { return make_chart(processor(), analytic_ladder()).value(); }

}  // namespace roofline::test
