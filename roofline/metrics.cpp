#include "roofline/metrics.h"

#include <algorithm>
#include <set>

#include "roofline/formula.h"

namespace roofline {
namespace {

/// The formulas of a metric: its own, those for other chips, and optionally that of other
/// profilers.
std::vector<Formula> formulas_of(const Metric& metric, bool of_other_profilers) {
  std::vector<Formula> list;
  if (!metric.formula.empty()) list.emplace_back(metric.formula);
  for (const std::string& other : metric.alternatives) list.emplace_back(other);
  if (of_other_profilers && !metric.elsewhere.empty()) list.emplace_back(metric.elsewhere);
  return list;
}

using Formulas = std::vector<std::vector<Formula>>;  // formulas of each row of a table

Formulas formulas_of(std::span<const Metric> rows) {
  Formulas list;
  for (const Metric& metric : rows) list.push_back(formulas_of(metric, true));
  return list;
}

/// A metric's value is that of its first formula whose counters all exist.
Metrics evaluate(const Counters& counters, std::span<const Metric> rows, const Formulas& formulas) {
  Metrics values;
  for (std::size_t row = 0; row < rows.size(); ++row)
    for (const Formula& formula : formulas[row])
      if (const auto value = formula.evaluate(counters)) {
        values.emplace(rows[row].name, *value);
        break;
      }
  return values;
}

bool holds(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

template <typename Wanted>
std::vector<std::string> counters_of_rows(const Wanted& wanted) {
  std::vector<std::string> names;
  for (const Metric& metric : metric_table())
    if (wanted(metric))
      for (std::string& name : counters_of(metric))
        if (!holds(names, name)) names.push_back(std::move(name));
  return names;
}

}  // namespace

std::span<const Metric> metric_table() { return nvidia_table().metrics; }

const Metric* find_metric(std::string_view name) { return nvidia_table().find_metric(name); }

std::string metric_label(const Metric& metric) {
  constexpr std::string_view counted = "instructions";
  std::string label(metric.name);
  if (label.ends_with(counted))
    label.replace(label.size() - counted.size(), counted.size(), metric.unit + "s");
  std::ranges::replace(label, '_', ' ');
  return label;
}

std::optional<double> metric_value(const Metrics& metrics, std::string_view name) {
  const auto found = metrics.find(std::string(name));
  if (found == metrics.end()) return std::nullopt;
  return found->second;
}

std::vector<std::string> counters_of(const Metric& metric, bool of_other_profilers) {
  std::vector<std::string> names;
  for (const Formula& formula : formulas_of(metric, of_other_profilers))
    for (const std::string& name : formula.names())
      if (!holds(names, name) && name != half_constants) names.push_back(name);
  return names;
}

std::vector<std::string> needed_counters() {
  std::vector<std::string> names =
      counters_of_rows([](const Metric& metric) { return metric.when.empty(); });
  std::erase_if(names, counted_by_sampling);
  return names;
}

std::vector<std::string> sampled_counters() {
  std::vector<std::string> names = counters_of_rows([](const Metric&) { return true; });
  std::erase_if(names, [](const std::string& name) { return !counted_by_sampling(name); });
  return names;
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
  std::vector<std::string> names =
      counters_of_rows([&](const Metric& metric) { return metrics.contains(metric.name); });
  const bool copies = metric_value(of_work, "l1_bulk_bytes").value_or(0) > 0;
  std::erase_if(names, [copies](const std::string& name) {
    return counted_by_software(name) || counted_by_sampling(name) ||
           (counts_bulk_copies(name) && !copies);
  });
  return names;
}

std::vector<std::string> further_counters(const Metrics& seen, bool all) {
  std::vector<std::string> names = counters_of_rows([&seen, all](const Metric& metric) {
    if (metric.when.empty()) return false;
    if (metric.when == when_asked) return all;
    const auto value = metric_value(seen, metric.when);
    return !value || *value > metric.above;
  });
  const std::vector<std::string> always = needed_counters();
  std::erase_if(names, [&always](const std::string& name) { return holds(always, name); });
  return names;
}

Metrics evaluate(const Counters& counters) {
  static const Formulas formulas = formulas_of(metric_table());
  return evaluate(counters, metric_table(), formulas);
}

Metrics evaluate(const Counters& counters, const ModelTable& table) {
  return evaluate(counters, table.metrics, formulas_of(table.metrics));
}

}  // namespace roofline
