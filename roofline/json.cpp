#include "roofline/json.h"

#include <cmath>

#include "roofline/record/facts.h"

namespace roofline {
namespace {

using Json = nlohmann::ordered_json;

/// A number for each level: {"l1": ..., "l2": ..., "dram": ...}, nearest level first.
Json by_level(const RooflinePoint& point, double LevelPoint::*value) {
  Json json = Json::object();
  for (const LevelPoint& level : point.levels) json[level.level] = json_number(level.*value);
  return json;
}

}  // namespace

Json named_numbers(const std::map<std::string, double>& values) {
  Json json = Json::object();
  for (const auto& [name, value] : values) json[name] = json_number(value);
  return json;
}

Json roofline_json(const RooflinePoint& point) {
  Json json = {{"precision", point.precision},
               {"share", json_number(point.share)},
               {"flops", json_number(point.flop)},
               {"seconds", json_number(point.seconds)},
               {"flops_per_s", json_number(point.flop_per_s)},
               {"analytic", point.analytic},
               {"bytes", by_level(point, &LevelPoint::bytes)},
               {"intensity", by_level(point, &LevelPoint::intensity)},
               {"attainable", by_level(point, &LevelPoint::attainable)},
               {"percent", by_level(point, &LevelPoint::percent)},
               {"level_seconds", by_level(point, &LevelPoint::seconds)},
               {"compute_seconds", json_number(point.compute_seconds)},
               {"percent_of_peak", json_number(point.percent_of_peak)},
               {"fma_mix_ceiling", json_number(point.fma_mix_ceiling.value_or(NAN))},
               {"percent_of_roof", json_number(point.percent_of_roof)},
               {"bound_by", point.bound_by},
               {"defects", point.defects}};
  if (point.active_per_s) json["active_per_s"] = json_number(*point.active_per_s);
  return json;
}

Json rooflines_json(const std::vector<RooflinePoint>& points) {
  Json json = Json::object();
  for (const RooflinePoint& point : points) json[point.precision] = roofline_json(point);
  return json;
}

Json ceilings_json(const std::vector<Ceilings>& ceilings) {
  Json json = Json::object();
  for (const Ceilings& device : ceilings) json[device.kind] = facts_json(device);
  return json;
}

}  // namespace roofline
