#include "roofline/metrics.h"

#include <algorithm>
#include <optional>

#include "roofline/formula.h"

namespace roofline {
namespace {

/// Its own formula, then those for other chips.
std::vector<Formula> formulas_of(const Metric& metric) {
  std::vector<Formula> list;
  if (!metric.formula.empty()) list.emplace_back(metric.formula);
  for (const std::string& other : metric.alternatives) list.emplace_back(other);
  return list;
}

/// Of each row of a table, those of other profilers last.
std::vector<std::vector<Formula>> formulas_of_rows(std::span<const Metric> rows) {
  std::vector<std::vector<Formula>> list;
  for (const Metric& metric : rows) {
    list.push_back(formulas_of(metric));
    if (!metric.elsewhere.empty()) list.back().emplace_back(metric.elsewhere);
  }
  return list;
}

/// The first formula holds whose counters are there.
Metrics evaluate_rows(const Counters& counters, std::span<const Metric> rows,
                      const std::vector<std::vector<Formula>>& formulas) {
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
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// The counters of the rows that are `wanted`, each once.
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
  std::replace(label.begin(), label.end(), '_', ' ');
  return label;
}

std::optional<double> metric_value(const Metrics& metrics, std::string_view name) {
  const auto found = metrics.find(std::string(name));
  if (found == metrics.end()) return std::nullopt;
  return found->second;
}

std::vector<std::string> counters_of(const Metric& metric) {
  std::vector<std::string> names;
  for (const Formula& formula : formulas_of(metric))
    for (const std::string& name : formula.names())
      if (!holds(names, name)) names.push_back(name);
  return names;
}

std::vector<std::string> needed_counters() {
  return counters_of_rows([](const Metric& metric) { return metric.when.empty(); });
}

std::vector<std::string> further_counters(const Metrics& seen) {
  std::vector<std::string> names = counters_of_rows([&seen](const Metric& metric) {
    return !metric.when.empty() && metric_value(seen, metric.when).value_or(1) != 0;
  });
  const std::vector<std::string> always = needed_counters();
  std::erase_if(names, [&always](const std::string& name) { return holds(always, name); });
  return names;
}

Metrics evaluate(const Counters& counters) {
  static const std::vector<std::vector<Formula>> formulas = formulas_of_rows(metric_table());
  return evaluate_rows(counters, metric_table(), formulas);
}

Metrics evaluate(const Counters& counters, const ModelTable& table) {
  return evaluate_rows(counters, table.metrics, formulas_of_rows(table.metrics));
}

}  // namespace roofline
