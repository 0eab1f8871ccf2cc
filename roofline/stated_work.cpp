#include "roofline/stated_work.h"

namespace roofline {

std::vector<std::string> stated_keys(const ModelTable& table) {
  std::vector<std::string> keys;
  for (const Model& model : table.models) keys.push_back(work_key(model.name));
  for (const Level& level : table.levels)
    if (!level.traffic.empty()) keys.push_back(level.name);
  return keys;
}

Metrics stated_metrics(const std::map<std::string, double>& amounts, const ModelTable& table) {
  Metrics metrics;
  const auto put = [&](const std::string& key, const std::string& metric) {
    if (const auto found = amounts.find(key); found != amounts.end() && !metric.empty())
      metrics[metric] = found->second;
  };
  for (const Model& model : table.models) put(work_key(model.name), model.work);
  for (const Level& level : table.levels) put(level.name, level.traffic);
  return metrics;
}

}  // namespace roofline
