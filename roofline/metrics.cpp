#include "roofline/metrics.h"

#include <algorithm>
#include <set>

namespace roofline {
namespace {

bool holds(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

/// The counters that fit, of the metrics that fit, each once.
template <typename OfMetric, typename OfCounter>
std::vector<std::string> counters_where(const OfMetric& metric_fits, const OfCounter& fits) {
  std::vector<std::string> names;
  for (const Metric& metric : metric_table())
    if (metric_fits(metric))
      for (std::string& name : counters_of(metric))
        if (fits(name) && !holds(names, name)) names.push_back(std::move(name));
  return names;
}

}  // namespace

std::span<const Metric> metric_table() { return nvidia_table().metrics; }

const Metric* find_metric(std::string_view name) { return nvidia_table().find_metric(name); }

std::optional<double> metric_value(const Metrics& metrics, std::string_view name) {
  const auto found = metrics.find(std::string(name));
  if (found == metrics.end()) return std::nullopt;
  return found->second;
}

std::vector<std::string> counters_of(const Metric& metric, bool of_other_profilers) {
  std::vector<Formula> formulas = metric.formulas;
  if (of_other_profilers && metric.elsewhere) formulas.push_back(*metric.elsewhere);
  std::vector<std::string> names;
  for (const Formula& formula : formulas)
    for (const std::string& name : formula.names())
      if (!holds(names, name) && name != half_constants) names.push_back(name);
  return names;
}

std::vector<std::string> needed_counters() {
  return counters_where([](const Metric& metric) { return metric.when.empty(); },
                        [](const std::string& name) { return !counted_by_sampling(name); });
}

std::vector<std::string> sampled_counters() {
  return counters_where([](const Metric&) { return true; }, counted_by_sampling);
}

std::vector<std::string> kernel_counters(const Metrics& of_work) {
  std::set<std::string> metrics = {"seconds", "fp64_pipe_instructions"};
  for (const Model& model : nvidia_table().models) {
    const Metric& work = *find_metric(model.work);
    const std::string& sign = work.when.empty() ? work.name : work.when;
    if (metric_value(of_work, sign).value_or(0) > work.above) metrics.insert(work.name);
  }
  for (const Level& level : nvidia_table().levels) metrics.insert(level.traffic);
  for (const Model& model : nvidia_table().instruction_models) {
    metrics.insert({model.work, model.active});
    for (const Level& level : model.levels) metrics.insert(level.traffic);
  }
  const bool copies = metric_value(of_work, "l1_bulk_bytes").value_or(0) > 0;
  return counters_where([&](const Metric& metric) { return metrics.contains(metric.name); },
                        [copies](const std::string& name) {
                          return !counted_by_software(name) && !counted_by_sampling(name) &&
                                 (copies || !counts_bulk_copies(name));
                        });
}

std::vector<std::string> further_counters(const Metrics& seen, bool all) {
  const std::vector<std::string> always = needed_counters();
  return counters_where(
      [&seen, all](const Metric& metric) {
        if (metric.when.empty()) return false;
        if (metric.when == when_asked) return all;
        const auto value = metric_value(seen, metric.when);
        return !value || *value > metric.above;
      },
      [&always](const std::string& name) { return !holds(always, name); });
}

Metrics evaluate(const Counters& counters, const ModelTable& table) {
  Metrics values;
  for (const Metric& metric : table.metrics) {
    std::optional<double> value;
    for (const Formula& formula : metric.formulas)
      if (!value) value = formula.evaluate(counters);
    if (!value && metric.elsewhere) value = metric.elsewhere->evaluate(counters);
    if (value) values.emplace(metric.name, *value);
  }
  return values;
}

}  // namespace roofline
