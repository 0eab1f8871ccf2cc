// The metrics of NVIDIA's GPUs with their formulas, from roofline/models/nvidia.txt.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "roofline/counters.h"
#include "roofline/models/model_table.h"

namespace roofline {

/// All metrics, in display order.
std::span<const Metric> metric_table();

/// The metric with that name, or nullptr.
const Metric* find_metric(std::string_view name);

/// Values of metrics by name. A metric with a missing counter is absent.
using Metrics = std::map<std::string, double>;

/// The value of a metric, if present.
std::optional<double> metric_value(const Metrics& metrics, std::string_view name);

/// The raw counters of a metric, those of its alternatives for other chips among them, but not
/// half_constants, nor those that only other profilers' files hold, unless somebody asks for these.
std::vector<std::string> counters_of(const Metric& metric, bool of_other_profilers = false);

/// The raw counters that are always counted, each once, without sampled ones.
std::vector<std::string> needed_counters();

/// The sampled raw counters, each once.
std::vector<std::string> sampled_counters();

/// The hardware's counters that place a kernel of a piece of work with these metrics: time, bytes
/// and transactions of every level, instructions, and operations where the work has such. All add
/// up over launches, and one pass counts them on GH100 where no tensor core was busy and nothing
/// was copied in bulk.
std::vector<std::string> kernel_counters(const Metrics& of_work);

/// The raw counters of metrics that are counted only on a condition: if another metric in `seen` is
/// above a number or unknown, or if `all` are requested. Each is listed once, without those that
/// are always counted.
std::vector<std::string> further_counters(const Metrics& seen, bool all = false);

/// Thread instructions that count as FP16 fused multiply-adds, and those among them that load
/// constants. The second is not a CUPTI counter: it is derived from machine code
/// (machine_code/cubin.h), and is missing if that is impossible.
inline constexpr const char* half_fma = "sm__sass_thread_inst_executed_op_hfma_pred_on.sum";
inline constexpr const char* half_constants = "roofline__sass_thread_inst_hfma_constants.sum";

/// True for counters that CUPTI collects by instrumenting instructions: names with "sass". They are
/// exact, but make kernels about a hundred times slower.
inline bool counted_by_software(std::string_view counter) {
  return counter.find("__sass_") != std::string_view::npos;
}

/// Whether a counter counts bulk copies between global and shared memory, by the copy engine (TMA).
inline bool counts_bulk_copies(std::string_view counter) {
  return counter.find("_op_tma_") != std::string_view::npos;
}

/// Whether a counter is the number of samples that found a warp waiting for that reason.
inline bool counted_by_sampling(std::string_view counter) {
  return counter.starts_with("smsp__pcsamp_");
}

/// A metric's value is that of its first formula whose counters all exist.
Metrics evaluate(const Counters& counters, const ModelTable& table = nvidia_table());

}  // namespace roofline
