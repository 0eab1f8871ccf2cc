#include "roofline/points.h"

#include <fmt/format.h>

#include <algorithm>

namespace roofline {
namespace {

/// The reason why counted work has no point.
std::string reason_of(const Model& model, const Activity& activity, const Ceilings& ceilings) {
  for (const Missing& missing : ceilings.missing)
    if (missing.name == model.peak) return missing.reason;
  const Ceiling* peak = ceilings.find(model.peak);
  if (peak == nullptr || !(peak->measured > 0))
    return fmt::format("the roof of its arithmetic, {}, was not measured", model.peak);
  if (!(activity.seconds > 0)) return "its time is not known";
  for (const Traffic& traffic : activity.traffic)
    if (const Level* level = model.find_level(traffic.level))
      if (ceilings.find(level->roof) == nullptr)
        return fmt::format("the roof of {} was not measured", level->label);
  return "no level of memory moved any bytes";
}

void name_missing_levels(const Model& model, const Metrics& metrics, RooflinePoint& point) {
  if (point.analytic) return;
  for (const Level& level : model.levels)
    if (!level.traffic.empty() && !metric_value(metrics, level.traffic))
      point.defects.push_back(fmt::format(
          "{} is missing: the roof of {} is not among those compared", level.traffic, level.name));
}

/// The operations of all precisions together.
double all_operations(const Metrics& metrics, const ModelTable& table) {
  double sum = 0;
  for (const Model& model : table.models)
    sum += std::max(0.0, metric_value(metrics, model.work).value_or(0));
  return sum;
}

/// Adds the point of this work, or the reason why there is none; adds nothing if there was no work.
void place(RooflinePoints& placed, const Model& model, const Metrics& metrics,
           const Activity& activity, const Ceilings& ceilings) {
  if (!(activity.flop > 0)) return;
  if (std::optional<RooflinePoint> point = roofline_point(activity, ceilings)) {
    name_missing_levels(model, metrics, *point);
    placed.points.push_back(*std::move(point));
  } else {
    placed.missing.push_back({model.name, reason_of(model, activity, ceilings)});
  }
}

/// Sorts by operations, descending; equal ones keep the tables' order, from FP64 on.
std::vector<RooflinePoint> most_work_first(std::vector<RooflinePoint> points) {
  static const std::vector<std::string> order = [] {
    std::vector<std::string> names;
    for (const ModelTable* table : all_tables())
      for (const Model& model : table->models) names.push_back(model.name);
    return names;
  }();
  const auto rank = [](const RooflinePoint& point) {
    return std::ranges::find(order, point.precision);
  };
  std::ranges::sort(points, [&rank](const RooflinePoint& a, const RooflinePoint& b) {
    return a.flop != b.flop ? a.flop > b.flop : rank(a) < rank(b);
  });
  return points;
}

/// Levels without bytes in the metrics are left out.
Activity activity_of(const Metrics& metrics, double seconds, CountedBy source, const Model& model) {
  Activity activity;
  activity.precision = model.name;
  activity.flop = metric_value(metrics, model.work).value_or(0);
  activity.seconds = seconds;
  activity.active = metric_value(metrics, model.active);
  activity.fma_fraction = metric_value(metrics, model.fma_fraction);
  activity.analytic = !is_hardware(source);
  for (const Level& level : model.levels)
    if (const auto bytes = metric_value(metrics, level.traffic))
      activity.traffic.push_back({level.name, *bytes});
  return activity;
}

}  // namespace

RooflinePoints roofline_points(const Metrics& metrics, double seconds, CountedBy source,
                               const Ceilings& ceilings) {
  RooflinePoints placed;
  const ModelTable& table = table_of(ceilings.kind);
  const double all = all_operations(metrics, table);
  for (const Model& model : table.models)
    place(placed, model, metrics, activity_of(metrics, seconds, source, model), ceilings);
  for (RooflinePoint& point : placed.points) point.share = point.flop / all;
  placed.points = most_work_first(std::move(placed.points));
  return placed;
}

RooflinePoints movement_points(const Counted& counted, double seconds, const Ceilings& ceilings) {
  RooflinePoints placed;
  const ModelTable& table = table_of(ceilings.kind);
  if (table.movement && all_operations(counted.metrics, table) == 0)
    place(placed, *table.movement, counted.metrics,
          activity_of(counted.metrics, seconds, counted.source, *table.movement), ceilings);
  return placed;
}

RooflinePoints instruction_points(const Metrics& metrics, double seconds, CountedBy source,
                                  const Ceilings& ceilings) {
  RooflinePoints placed;
  for (const Model& model : table_of(ceilings.kind).instruction_models)
    if (metric_value(metrics, model.work))
      place(placed, model, metrics, activity_of(metrics, seconds, source, model), ceilings);
    else
      placed.missing.push_back({model.name, fmt::format("{} was not counted", model.work)});
  return placed;
}

RooflinePoints roofline_points(const Counted& counted, double seconds, const Ceilings& ceilings) {
  return roofline_points(counted.metrics, seconds, counted.source, ceilings);
}

}  // namespace roofline
