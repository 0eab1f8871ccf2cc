// The metrics of NVIDIA's GPUs, by roofline/models/nvidia.txt: how each follows from raw counters.
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

/// Every metric, in the order to show them.
std::span<const Metric> metric_table();

/// The row of that name, or nullptr.
const Metric* find_metric(std::string_view name);

/// The name for people: "l2 sm bytes", and "warp instructions" for `instructions`, which says of
/// what each is counted once.
std::string metric_label(const Metric& metric);

/// Values of metrics by name. A metric of which a counter is missing is not in here.
using Metrics = std::map<std::string, double>;

/// The value of a metric; empty where it is not among them.
std::optional<double> metric_value(const Metrics& metrics, std::string_view name);

/// The raw counters of a metric, those of its alternatives for other chips among them, but none
/// that only other profilers' files hold.
std::vector<std::string> counters_of(const Metric& metric);

/// The raw counters that are always counted, each once.
std::vector<std::string> needed_counters();

/// The raw counters of metrics that are counted only where another metric is not zero, and in
/// `seen` it is not: each once, and none that is always counted.
std::vector<std::string> further_counters(const Metrics& seen);

/// Whether a counter is collected by instrumenting instructions, not by hardware: CUPTI's names
/// with "sass". Exact, but a kernel takes some hundred times as long.
inline bool counted_by_software(std::string_view counter) {
  return counter.find("__sass_") != std::string_view::npos;
}

/// Evaluates the table.
Metrics evaluate(const Counters& counters);

/// Evaluates another one, such as host_table().
Metrics evaluate(const Counters& counters, const ModelTable& table);

}  // namespace roofline
