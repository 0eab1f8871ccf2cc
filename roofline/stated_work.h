// Uncounted operations and bytes, by formulas from a file (import/work_file.h). They need no
// permission, and are shown beside counts but not mixed with them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "roofline/profile.h"

namespace roofline {

/// The precisions ("fp64", "tensor_fp16") and levels ("dram") of a kind of device.
std::vector<std::string> stated_keys(const ModelTable& table);

Metrics stated_metrics(const std::map<std::string, double>& amounts, const ModelTable& table);

/// The label of values from formulas, beside counts.
inline constexpr const char* by_formula = "by formula";

}  // namespace roofline
