#include "roofline/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "roofline/points.h"

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

std::optional<double> read_optional(const JsonPlace& place, const Bounds& bounds) {
  if (place.is_null()) return std::nullopt;
  return place.real(bounds);
}

std::vector<std::string> read_lines(const JsonPlace& place) {
  std::vector<std::string> lines;
  for (const JsonPlace& line : place.elements()) lines.push_back(line.text());
  return lines;
}

/// Level names in the order of the hierarchy, which JSON does not keep.
std::vector<std::string> nearest_first(std::vector<std::string> levels) {
  std::sort(levels.begin(), levels.end(), is_nearer);
  return levels;
}

Json ceiling_json(const Ceiling& ceiling) {
  Json sweep = Json::array();
  for (const SweepPoint& point : ceiling.sweep)
    sweep.push_back({json_number(point.bytes), json_number(point.rate)});
  return {{"name", ceiling.name},
          {"label", ceiling.label},
          {"kind", ceiling.kind == CeilingKind::compute ? "compute" : "bandwidth"},
          {"measured", json_number(ceiling.measured)},
          {"theoretical", optional_number(ceiling.theoretical)},
          {"clock_mhz", json_number(ceiling.clock_mhz)},
          {"definition", ceiling.definition},
          {"sweep", sweep}};
}

Ceiling read_ceiling(const JsonPlace& place) {
  Ceiling ceiling;
  ceiling.name = place["name"].name();
  ceiling.label = place["label"].text(bounds::name_length);
  const std::string kind = place["kind"].text();
  if (kind != "compute" && kind != "bandwidth")
    place["kind"].refuse("neither compute nor bandwidth");
  ceiling.kind = kind == "compute" ? CeilingKind::compute : CeilingKind::bandwidth;
  ceiling.measured = place["measured"].real(bounds::roof);
  ceiling.theoretical = read_optional(place["theoretical"], bounds::roof);
  ceiling.clock_mhz = place["clock_mhz"].real(bounds::clock_mhz);
  ceiling.definition = place["definition"].text();
  for (const JsonPlace& point : place["sweep"].elements()) {
    const std::vector<double> pair = point.reals(bounds::sweep);
    if (pair.size() != 2) point.refuse("not a pair [bytes, B/s]");
    ceiling.sweep.push_back({pair[0], pair[1]});
  }
  return ceiling;
}

Json launch_json(const LaunchCost& launch) {
  return {{"seconds", json_number(launch.seconds)},
          {"low", json_number(launch.low)},
          {"high", json_number(launch.high)},
          {"definition", launch.definition}};
}

LaunchCost read_launch(const JsonPlace& place) {
  LaunchCost launch{place["seconds"].real(bounds::launch_seconds),
                    place["low"].real(bounds::launch_seconds),
                    place["high"].real(bounds::launch_seconds), place["definition"].text()};
  if (launch.low > launch.seconds || launch.seconds > launch.high)
    place["seconds"].refuse("not between low and high");
  return launch;
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

Json counting_json(const Counted& counted) {
  Json missing = Json::object();
  for (const Missing& one : counted.missing) missing[one.name] = one.reason;
  Json slice = Json::object();
  if (counted.slice)
    slice = {{"part", counted.slice->part},
             {"scale", json_number(counted.slice->scale)},
             {"counters", named_numbers(counted.slice->counters)}};
  return {{"source", source_name(counted.source)},
          {"reason", counted.reason},
          {"passes", counted.passes},
          {"seconds", json_number(counted.seconds)},
          {"slice", slice},
          {"missing", missing},
          {"defects", counted.defects}};
}

Json hot_code_json(const HotCode& code) {
  const auto mix_json = [](const InstructionMix& mix) {
    Json json = Json::object();
    for (const auto& [name, count] : instruction_counts) json[name] = mix.*count;
    return json;
  };
  Json loops = Json::array();
  for (const HotLoop& loop : code.loops)
    loops.push_back({{"function", loop.function},
                     {"file", loop.file},
                     {"line", loop.line},
                     {"share", json_number(loop.share)},
                     {"instructions", loop.instructions},
                     {"fp64", mix_json(loop.fp64)},
                     {"fp32", mix_json(loop.fp32)},
                     {"calls", loop.calls}});
  Json libraries = Json::object();
  for (const LibraryShare& library : code.libraries)
    libraries[library.name] = json_number(library.share);
  return {{"samples", code.samples},
          {"reason", code.reason},
          {"loops", loops},
          {"libraries", libraries}};
}

HotCode read_hot_code(const JsonPlace& place) {
  const auto read_mix = [](const JsonPlace& mix) {
    InstructionMix read;
    for (const auto& [name, count] : instruction_counts) read.*count = mix[name].small_integer();
    return read;
  };
  HotCode code;
  code.samples = place["samples"].small_integer();
  code.reason = place["reason"].text();
  for (const JsonPlace& one : place["loops"].elements(bounds::ceilings)) {
    HotLoop loop;
    loop.function = one["function"].text();
    loop.file = one["file"].text();
    loop.line = one["line"].small_integer();
    loop.share = one["share"].real(bounds::share);
    loop.instructions = one["instructions"].small_integer();
    loop.fp64 = read_mix(one["fp64"]);
    loop.fp32 = read_mix(one["fp32"]);
    for (const JsonPlace& call : one["calls"].elements(bounds::ceilings))
      loop.calls.push_back(call.text(bounds::name_length));
    code.loops.push_back(std::move(loop));
  }
  for (const auto& [name, share] : place["libraries"].named_reals(bounds::share))
    code.libraries.push_back({name, share});
  return code;
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

Json ceilings_json(const Ceilings& ceilings) {
  Json list = Json::array();
  for (const Ceiling& ceiling : ceilings.list) list.push_back(ceiling_json(ceiling));
  Json missing = Json::object();
  for (const Missing& one : ceilings.missing) missing[one.name] = one.reason;
  Json json = {{"device", ceilings.device},
               {"driver", ceilings.driver},
               {"created", ceilings.created},
               {"seconds", json_number(ceilings.seconds)},
               {"list", list},
               {"missing", missing}};
  if (ceilings.launch) json["launch"] = launch_json(*ceilings.launch);
  return json;
}

Json ceilings_json(const std::vector<Ceilings>& ceilings) {
  Json json = Json::object();
  for (const Ceilings& device : ceilings) json[device.kind] = ceilings_json(device);
  return json;
}

Counted read_counted(const JsonPlace& result) {
  Counted counted;
  if (!result.has("counting")) return counted;
  counted.counters = result["counters"].named_reals(bounds::count);
  counted.metrics = result["metrics"].named_reals(bounds::metric);
  const JsonPlace counting = result["counting"];
  const auto source = source_by_name(counting["source"].name_or_empty());
  if (!source) counting["source"].refuse("neither cupti nor analytic nor empty");
  counted.source = *source;
  counted.reason = counting["reason"].text();
  counted.passes = counting["passes"].small_integer();
  if (counting.has("seconds")) counted.seconds = counting["seconds"].real(bounds::seconds);
  if (counting.has("slice") && counting["slice"].has("part")) {
    const JsonPlace slice = counting["slice"];
    counted.slice =
        SliceCount{slice["part"].text(bounds::name_length), slice["scale"].real(bounds::scale),
                   slice["counters"].named_reals(bounds::count)};
  }
  for (const auto& [name, reason] : counting["missing"].texts())
    counted.missing.push_back({name, reason});
  counted.defects = read_lines(counting["defects"]);
  return counted;
}

std::optional<RooflinePoint> read_roofline(const JsonPlace& place) {
  if (place.keys().empty()) return std::nullopt;
  RooflinePoint point;
  if (place.has("precision")) point.precision = place["precision"].name();
  if (place.has("share")) point.share = place["share"].real(bounds::share);
  point.flop = place["flops"].real(bounds::work);
  point.seconds = place["seconds"].real(bounds::run_seconds);
  point.flop_per_s = place["flops_per_s"].real(bounds::not_negative);
  if (place.has("active_per_s"))
    point.active_per_s = place["active_per_s"].real(bounds::not_negative);
  point.analytic = place["analytic"].truth();
  for (const std::string& level : nearest_first(place["bytes"].keys())) {
    const auto number = [&](const char* what) {
      return place[what][level.c_str()].real(bounds::not_negative);
    };
    point.levels.push_back({level, place["bytes"][level.c_str()].real(bounds::work),
                            number("intensity"), number("attainable"), number("percent"),
                            number("level_seconds")});
  }
  point.compute_seconds = place["compute_seconds"].real(bounds::not_negative);
  point.percent_of_peak = place["percent_of_peak"].real(bounds::not_negative);
  point.fma_mix_ceiling = read_optional(place["fma_mix_ceiling"], bounds::not_negative);
  point.percent_of_roof = place["percent_of_roof"].real(bounds::not_negative);
  point.bound_by = place["bound_by"].name();
  point.defects = read_lines(place["defects"]);
  return point;
}

std::vector<RooflinePoint> read_rooflines(const JsonPlace& place) {
  std::vector<RooflinePoint> points;
  for (const std::string& precision : place.keys()) {
    const JsonPlace one = place[precision.c_str()];
    const std::optional<RooflinePoint> point = read_roofline(one);
    if (!point) one.refuse("empty");
    if (point->precision != precision)
      one["precision"].refuse(fmt::format("not that of its key, '{}'", precision));
    points.push_back(*point);
  }
  return most_work_first(std::move(points));
}

Ceilings read_device_ceilings(const JsonPlace& place, const std::string& kind) {
  Ceilings ceilings;
  ceilings.device = place["device"].text(bounds::name_length);
  ceilings.kind = kind;
  ceilings.driver = place["driver"].text();
  ceilings.created = place["created"].text();
  ceilings.seconds = place["seconds"].real(bounds::seconds);
  for (const JsonPlace& ceiling : place["list"].elements(bounds::ceilings))
    ceilings.list.push_back(read_ceiling(ceiling));
  if (place.has("missing"))
    for (const auto& [name, reason] : place["missing"].texts())
      ceilings.missing.push_back({name, reason});
  if (place.has("launch")) ceilings.launch = read_launch(place["launch"]);
  return ceilings;
}

std::vector<Ceilings> read_ceilings(const JsonPlace& place) {
  std::vector<Ceilings> ceilings;
  for (const std::string& kind : place.keys()) {
    if (kind != "host" && kind != "gpu" && kind != "amd")
      place[kind.c_str()].refuse("neither host nor gpu nor amd");
    ceilings.push_back(read_device_ceilings(place[kind.c_str()], kind));
  }
  return ceilings;
}

}  // namespace roofline
