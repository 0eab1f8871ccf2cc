#include "roofline/json.h"

#include "roofline/points.h"
#include "roofline/record/facts.h"

namespace roofline {
namespace {

using Json = nlohmann::ordered_json;

/// One number of every level: {"l1": ..., "l2": ..., "dram": ...}, nearest first.
Json by_level(const RooflinePoint& point, double LevelPoint::*value) {
  Json json = Json::object();
  for (const LevelPoint& level : point.levels) json[level.level] = json_number(level.*value);
  return json;
}

Json optional_number(const std::optional<double>& value) {
  return value ? json_number(*value) : Json(nullptr);
}

Json model_json(const Model& model, const std::string& device) {
  Json levels = Json::array(), walls = Json::array();
  for (const Level& level : model.levels)
    levels.push_back({{"name", level.name},
                      {"label", level.label},
                      {"roof", level.roof},
                      {"bytes_each", level.bytes_each},
                      {"beside", level.beside}});
  for (const Wall& wall : model.walls)
    walls.push_back({{"name", wall.name},
                     {"label", wall.label},
                     {"level", wall.level},
                     {"intensity", wall.intensity}});
  return {{"device", device},
          {"name", model.name},
          {"title", model.title},
          {"work", model.work},
          {"unit", model.unit},
          {"rate", model.rate_unit()},
          {"transactions", model.counts_transactions()},
          {"moves", model.moves},
          {"peak", model.peak},
          {"thin", model.thin},
          {"pipe", model.pipe},
          {"levels", levels},
          {"walls", walls},
          {"across", model.across},
          {"up", model.up}};
}

}  // namespace

Json missing_json(const std::vector<Missing>& missing) {
  Json list = Json::array();
  for (const Missing& one : missing) list.push_back({{"name", one.name}, {"reason", one.reason}});
  return list;
}

nlohmann::ordered_json numbers_json(const std::vector<double>& values) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const double value : values) list.push_back(json_number(value));
  return list;
}

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
               {"fma_mix_ceiling", optional_number(point.fma_mix_ceiling)},
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

Json models_json() {
  Json list = Json::array();
  for (const ModelTable* table : all_tables())
    for (const Model& model : table->models) list.push_back(model_json(model, table->device));
  for (const ModelTable* table : all_tables())
    if (table->movement) list.push_back(model_json(*table->movement, table->device));
  return list;
}

Json instruction_models_json() {
  Json list = Json::array();
  for (const ModelTable* table : all_tables())
    for (const Model& model : table->instruction_models)
      list.push_back(model_json(model, table->device));
  return list;
}

Json instructions_json(const InstructionRow& row) {
  if (row.points.empty()) return nullptr;
  Json walls = Json::object();
  for (const RooflinePoint& point : row.points)
    if (const Model* model = nvidia_table().find_model(point.precision))
      if (const auto nearest = nearest_wall(point, *model))
        walls[point.precision] = {{"label", nearest->wall.label},
                                  {"ratio", json_number(nearest->ratio)}};
  const InstructionFacts& facts = row.facts;
  return {{"warps_per_s", optional_number(facts.warps_per_s)},
          {"active_share", optional_number(facts.active_share)},
          {"sectors_per_request", optional_number(facts.sectors_per_request)},
          {"conflicts_per_access", optional_number(facts.conflicts_per_access)},
          {"spill_share", optional_number(facts.spill_share)},
          {"walls", walls}};
}

Json ceilings_json(const Ceilings& ceilings) { return facts_json(ceilings); }

Json ceilings_json(const std::vector<Ceilings>& ceilings) {
  Json json = Json::object();
  for (const Ceilings& device : ceilings) json[device.kind] = facts_json(device);
  return json;
}

}  // namespace roofline
