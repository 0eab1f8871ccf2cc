#include "roofline/metrics.h"

#include <algorithm>
#include <array>

#include "roofline/formula.h"

namespace roofline {
namespace {

constexpr std::string_view nersc = "document 004, metrics of the hierarchical roofline";
constexpr std::string_view nersc_doubled =
    "document 004; two lanes per instruction as in Nsight Compute's half-precision roofline";
constexpr std::string_view sass = "document 004; alpha of document 000's customised peak";
constexpr std::string_view cupti = "NVIDIA, CUPTI's own description of the counters";
constexpr std::string_view sections = "NVIDIA, Nsight Compute Profiling Guide, metrics reference";
constexpr std::string_view stalls = "NVIDIA, Nsight Compute Profiling Guide, warp stall reasons";

// Sums of raw counters rather than CUPTI's own ratios: sums over kernels, and over runs of two
// profilers, can be compared. Utilisations are the exception: only CUPTI knows a unit's peak.
constexpr auto table = std::to_array<Metric>({
    {"fp64_flop",
     "sm__sass_thread_inst_executed_op_dadd_pred_on.sum + "
     "sm__sass_thread_inst_executed_op_dmul_pred_on.sum + "
     "2 * sm__sass_thread_inst_executed_op_dfma_pred_on.sum",
     "FLOP",
     "FP64 operations of all threads whose predicate held; a fused multiply-add is two. Tensor "
     "cores are not in it.",
     nersc},
    {"fp64_fma_fraction",
     "sm__sass_thread_inst_executed_op_dfma_pred_on.sum / "
     "(sm__sass_thread_inst_executed_op_dadd_pred_on.sum + "
     "sm__sass_thread_inst_executed_op_dmul_pred_on.sum + "
     "sm__sass_thread_inst_executed_op_dfma_pred_on.sum)",
     "1", "Share of fused multiply-adds in the FP64 instructions: alpha of the FMA-mix ceiling.",
     sass},
    {"fp64_pipe_instructions", "sm__thread_inst_executed_pipe_fp64_pred_on.sum",
     "thread instruction",
     "Instructions that the FP64 pipe executed, counted once for each thread whose predicate held: "
     "comparisons and conversions are among them.",
     cupti},
    {"fp32_flop",
     "sm__sass_thread_inst_executed_op_fadd_pred_on.sum + "
     "sm__sass_thread_inst_executed_op_fmul_pred_on.sum + "
     "2 * sm__sass_thread_inst_executed_op_ffma_pred_on.sum",
     "FLOP", "FP32 operations, counted like those in FP64.", nersc},
    {"fp16_flop",
     "2 * (sm__sass_thread_inst_executed_op_hadd_pred_on.sum + "
     "sm__sass_thread_inst_executed_op_hmul_pred_on.sum + "
     "2 * sm__sass_thread_inst_executed_op_hfma_pred_on.sum)",
     "FLOP",
     "FP16 operations. The counters count instructions of a thread, and each works on a pair of "
     "numbers: hence the factor of two.",
     nersc_doubled},
    {"fp64_tensor_flop", "sm__ops_path_tensor_src_fp64.sum", "FLOP",
     "FP64 operations of the tensor cores; a multiplication and its addition are two.", cupti},
    {"dram_bytes", "dram__bytes.sum", "B", "Read from and written to DRAM.", nersc},
    {"l2_bytes", "lts__t_bytes.sum", "B", "All that L2 handled, hit or miss, reads and writes.",
     nersc},
    {"l2_sm_bytes", "32 * lts__t_sectors_srcunit_tex.sum", "B",
     "Asked of L2 by the multiprocessors: the L2 traffic of the roofline, whose ceiling is "
     "measured from there. l2_bytes exceeds it where the halves of an L2 hand data to each other "
     "(A100, H100, H200).",
     cupti},
    {"l1_bytes", "l1tex__t_bytes.sum", "B",
     "Asked of L1 by loads and stores of global and local memory, in whole sectors of 32 B. Shared "
     "memory is not in it.",
     nersc},
    {"shared_bytes", "128 * l1tex__data_pipe_lsu_wavefronts_mem_shared.sum", "B",
     "Bandwidth of shared memory used: 128 B for each cycle that its banks worked, conflicts and "
     "broadcasts included.",
     cupti},
    {"instructions", "sm__inst_executed.sum", "warp instruction",
     "Instructions executed, each counted once for its warp, not for its 32 threads.", cupti},
    {"cycles", "sm__cycles_elapsed.max", "cycle",
     "Clock cycles from the first kernel's start to the last one's end, gaps included.", cupti},
    {"clock", "sm__cycles_elapsed.avg.per_second", "Hz",
     "Clock of the multiprocessors while it was counted; CUPTI does not control it.", cupti},
    {"seconds", "gpu__time_duration.sum / 1e9", "s",
     "Duration of the counted run. Counting slows kernels down: never a time to compare.", cupti},
    {"occupancy", "sm__warps_active.avg.pct_of_peak_sustained_active", "%",
     "Warps resident on a busy multiprocessor, of the most that it can hold: achieved occupancy.",
     sections},
    {"fp64_pipe", "sm__pipe_fp64_cycles_active.avg.pct_of_peak_sustained_active", "%",
     "Busy cycles of the FP64 pipe, of the multiprocessors' busy cycles.", sections},
    {"issue", "sm__issue_active.avg.pct_of_peak_sustained_active", "%",
     "Issue slots used, of those in the multiprocessors' busy cycles.", sections},
    {"l1_hit", "100 * l1tex__t_sectors_lookup_hit.sum / l1tex__t_sectors.sum", "%",
     "Sectors found in L1, of those asked for.", sections},
    {"l2_hit", "100 * lts__t_sectors_lookup_hit.sum / lts__t_sectors.sum", "%",
     "Sectors found in L2, of those asked for; a write counts as found.", sections},
    {"stall_long_scoreboard",
     "smsp__warps_issue_stalled_long_scoreboard.sum / smsp__issue_active.sum", "warps per issue",
     "Warps of a scheduler that waited, for each instruction issued, for data from global or local "
     "memory, through L1, L2 or DRAM.",
     stalls},
    {"stall_short_scoreboard",
     "smsp__warps_issue_stalled_short_scoreboard.sum / smsp__issue_active.sum", "warps per issue",
     "Warps of a scheduler that waited, for each instruction issued, for shared memory or a "
     "special-function result.",
     stalls},
    {"stall_math_pipe_throttle",
     "smsp__warps_issue_stalled_math_pipe_throttle.sum / smsp__issue_active.sum", "warps per issue",
     "Warps of a scheduler that waited, for each instruction issued, for an arithmetic pipe that "
     "other warps keep busy.",
     stalls},
    {"stall_wait", "smsp__warps_issue_stalled_wait.sum / smsp__issue_active.sum", "warps per issue",
     "Warps of a scheduler that waited, for each instruction issued, for the fixed latency of an "
     "earlier instruction of its own.",
     stalls},
    {"stall_barrier", "smsp__warps_issue_stalled_barrier.sum / smsp__issue_active.sum",
     "warps per issue",
     "Warps of a scheduler that waited, for each instruction issued, for sibling warps at a "
     "barrier.",
     stalls},
    {"stall_not_selected", "smsp__warps_issue_stalled_not_selected.sum / smsp__issue_active.sum",
     "warps per issue",
     "Warps of a scheduler that waited, for each instruction issued, for the scheduler, which "
     "issues another warp that is ready too.",
     stalls},
    {"stall_mio_throttle", "smsp__warps_issue_stalled_mio_throttle.sum / smsp__issue_active.sum",
     "warps per issue",
     "Warps of a scheduler that waited, for each instruction issued, for room in the queue of "
     "memory and special-function instructions.",
     stalls},
    {"stall_lg_throttle", "smsp__warps_issue_stalled_lg_throttle.sum / smsp__issue_active.sum",
     "warps per issue",
     "Warps of a scheduler that waited, for each instruction issued, for room in the queue of "
     "global and local memory instructions.",
     stalls},
    {"stall_no_instruction",
     "smsp__warps_issue_stalled_no_instruction.sum / smsp__issue_active.sum", "warps per issue",
     "Warps of a scheduler that waited, for each instruction issued, for its next instruction to "
     "be fetched.",
     stalls},
    {"stall_branch_resolving",
     "smsp__warps_issue_stalled_branch_resolving.sum / smsp__issue_active.sum", "warps per issue",
     "Warps of a scheduler that waited, for each instruction issued, for the target of a branch.",
     stalls},
    {"stall_dispatch_stall",
     "smsp__warps_issue_stalled_dispatch_stall.sum / smsp__issue_active.sum", "warps per issue",
     "Warps of a scheduler that waited, for each instruction issued, for the dispatcher, which "
     "holds the instruction back.",
     stalls},
    {"stall_imc_miss", "smsp__warps_issue_stalled_imc_miss.sum / smsp__issue_active.sum",
     "warps per issue",
     "Warps of a scheduler that waited, for each instruction issued, for a constant that its cache "
     "does not hold.",
     stalls},
    {"stall_drain", "smsp__warps_issue_stalled_drain.sum / smsp__issue_active.sum",
     "warps per issue",
     "Warps of a scheduler that waited, for each instruction issued, for its last stores to leave "
     "before it can exit.",
     stalls},
    {"stall_membar", "smsp__warps_issue_stalled_membar.sum / smsp__issue_active.sum",
     "warps per issue",
     "Warps of a scheduler that waited, for each instruction issued, for a memory fence.", stalls},
    {"stall_selected", "smsp__warps_issue_stalled_selected.sum / smsp__issue_active.sum",
     "warps per issue",
     "Warps of a scheduler that issued, for each instruction issued: 1, and no stall.", stalls},
});

/// The formulas of the table, read once.
const std::vector<Formula>& formulas() {
  static const std::vector<Formula> list = [] {
    std::vector<Formula> read;
    read.reserve(table.size());
    for (const Metric& metric : table) read.emplace_back(metric.formula);
    return read;
  }();
  return list;
}

}  // namespace

std::span<const Metric> metric_table() { return table; }

const Metric* find_metric(std::string_view name) {
  const auto found =
      std::find_if(table.begin(), table.end(), [&](const Metric& row) { return row.name == name; });
  return found == table.end() ? nullptr : &*found;
}

std::string metric_label(const Metric& metric) {
  constexpr std::string_view counted = "instructions";
  std::string label(metric.name);
  if (label.ends_with(counted))
    label.replace(label.size() - counted.size(), counted.size(), std::string(metric.unit) + "s");
  std::replace(label.begin(), label.end(), '_', ' ');
  return label;
}

std::vector<std::string> needed_counters() {
  std::vector<std::string> needed;
  for (const Formula& formula : formulas())
    for (const std::string& name : formula.names())
      if (std::find(needed.begin(), needed.end(), name) == needed.end()) needed.push_back(name);
  return needed;
}

bool counted_by_software(std::string_view counter) {
  return counter.find("__sass_") != std::string_view::npos;
}

Metrics evaluate(const Counters& counters) {
  Metrics values;
  for (std::size_t row = 0; row < table.size(); ++row)
    if (const auto value = formulas()[row].evaluate(counters))
      values.emplace(table[row].name, *value);
  return values;
}

}  // namespace roofline
