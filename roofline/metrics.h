// The metrics of the roofline, as data: one table says how each follows from raw counters.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "roofline/counters.h"

namespace roofline {

/// One row of the table.
struct Metric {
  std::string_view name;     ///< "fp64_flop"
  std::string_view formula;  ///< of CUPTI's names, numbers, + - * / and ()
  std::string_view unit;  ///< "FLOP", "B", "%", "warp instruction"; decimal prefixes, never binary
  std::string_view meaning;  ///< a sentence for people
  std::string_view source;   ///< document and slide, or NVIDIA's documentation
};

/// Every metric, in the order to show them.
std::span<const Metric> metric_table();

/// The row of that name, or nullptr.
const Metric* find_metric(std::string_view name);

/// The name for people: "l2 sm bytes", and "warp instructions" for `instructions`, which says of
/// what each is counted once.
std::string metric_label(const Metric& metric);

/// The raw counters that the whole table needs, each once.
std::vector<std::string> needed_counters();

/// Whether a counter is kept by code that is put beside every instruction of its kind, not by the
/// hardware: CUPTI's names with "sass". Exact, but a kernel takes some hundred times as long.
bool counted_by_software(std::string_view counter);

/// Values of metrics by name. A metric of which a counter is missing is not in here.
using Metrics = std::map<std::string, double>;

/// Evaluates the table.
Metrics evaluate(const Counters& counters);

}  // namespace roofline
