#include "harness/record/trajectory.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "harness/record/derive.h"
#include "harness/record/record_json.h"
#include "roofline/base/files.h"
#include "roofline/base/json_place.h"
#include "roofline/base/text.h"
#include "roofline/record/facts.h"

namespace gpp {
namespace {

using roofline::JsonPlace;
namespace bounds = roofline::bounds;

constexpr roofline::List<roofline::Text> sentences{roofline::any_text, 1'000};
constexpr const char* file_name = "trajectory.json";

/// Refuses a point that contradicts earlier points.
void refuse_contradictions(const JsonPlace& place, const Trajectory& trajectory,
                           const TrajectoryPoint& point) {
  const auto& sizes = trajectory.sizes;
  if (std::ranges::find(sizes, point.size) == sizes.end())
    place["size"].refuse(fmt::format("'{}' is not among the sizes", point.size));
  place["units"].integer(1, trajectory.units);
  if (trajectory.find(point.units, point.size) != &point)
    place["units"].refuse(fmt::format("{} units of {} twice", point.units, point.size));
  if (point.study.kernel != trajectory.kernel)
    place["study"]["kernel"].refuse(
        fmt::format("'{}' contradicts '{}'", point.study.kernel, trajectory.kernel));
  for (const Result& result : point.study.results)
    if (!result.kind.empty() && result.kind != trajectory.kind)
      place["study"]["results"].refuse(
          fmt::format("'{}' contradicts '{}'", result.kind, trajectory.kind));
}

}  // namespace

void fields(roofline::Fields& field, TrajectoryPoint& point) {
  field("units", point.units, roofline::Whole{}, "multiprocessors or cores that it ran on");
  field("size", point.size, roofline::short_text, "one of sizes");
  field("study", point.study, "of that size on so many units, whose ceilings it has");
}

void fields(roofline::Fields& field, Trajectory& trajectory) {
  int version = schema_version;
  field("schema_version", version, roofline::Whole{schema_version, schema_version});
  field("kernel", trajectory.kernel, roofline::a_name, "that was measured");
  roofline::date_field(field, trajectory.created, "start, ISO 8601, UTC");
  field("complete", trajectory.complete, "false: it was interrupted, or is still under way");
  field("kind", trajectory.kind, roofline::Choice{{"host", "gpu"}}, "of device");
  field("device", trajectory.device, roofline::short_text, "its name");
  field("units", trajectory.units, roofline::Whole{1},
        "multiprocessors or cores of the whole device");
  field("seconds", trajectory.seconds, bounds::seconds, "that all of it took");
  field("sizes", trajectory.sizes, sentences, "inputs, as they were asked for");
  field("lost", trajectory.lost, sentences,
        "what was asked for and is not here, and why, for people");
  field("points", trajectory.points, roofline::List<roofline::NoRule>{{}, bounds::results});
}

const TrajectoryPoint* Trajectory::find(int wanted, const std::string& size) const {
  for (const TrajectoryPoint& point : points)
    if (point.units == wanted && point.size == size) return &point;
  return nullptr;
}

std::string units_name(const std::string& kind) {
  return kind == "gpu" ? "multiprocessors" : "cores";
}

Json to_json(const Trajectory& trajectory) {
  Json json = roofline::facts_json(trajectory);
  for (std::size_t i = 0; i < trajectory.points.size(); ++i)
    json["points"][i]["study"] = to_json(trajectory.points[i].study);
  return json;
}

Trajectory parse_trajectory(const std::string& text, const std::string& source) {
  const nlohmann::json json = roofline::json_in(text, source, "was it made by `gpp trajectory`?");
  const JsonPlace root(json, "", source);
  require_version(root);
  Trajectory trajectory = roofline::read_facts<Trajectory>(root);
  kernel_called(trajectory.kernel);
  for (std::size_t i = 0; i < trajectory.points.size(); ++i) {
    const JsonPlace place = root["points"].element(i);
    TrajectoryPoint& point = trajectory.points[i];
    refuse_contradictions(place, trajectory, point);
    refuse_contradictions(place["study"], point.study);
    derive(point.study);
  }
  return trajectory;
}

Trajectory read_trajectory(const std::filesystem::path& path) {
  std::string source;
  const std::string text = record_text(path, file_name, "gpp trajectory", source);
  return parse_trajectory(text, source);
}

void write_trajectory(const std::filesystem::path& folder, const Trajectory& trajectory) {
  roofline::write_whole(folder / file_name, roofline::facts_text(trajectory, true));
}

// ---- What counters mean on fewer units ----------------------------------------------------------

namespace {

/// Counters of work and of what each unit has to itself, and of what units share.
struct CounterNames {
  std::set<std::string> own, shared;

  void add(const std::string& metric, std::set<std::string>& to) {
    if (const roofline::Metric* found = roofline::find_metric(metric)) {
      const auto counters = roofline::counters_of(*found);
      to.insert(counters.begin(), counters.end());
    }
  }
  void add(const std::vector<roofline::Level>& levels) {
    for (const roofline::Level& level : levels)
      add(level.traffic, level.name == "l2" || level.name == "dram" ? shared : own);
  }
};

CounterNames names_by_use() {
  CounterNames names;
  const roofline::ModelTable& table = roofline::nvidia_table();
  names.add("fp64_pipe_instructions", names.own);
  names.add(table.levels);
  for (const auto* models : {&table.models, &table.instruction_models})
    for (const roofline::Model& model : *models) {
      for (const std::string& metric : {model.work, model.fma_fraction, model.active})
        names.add(metric, names.own);
      names.add(model.levels);
    }
  return names;
}

}  // namespace

std::vector<std::string> shared_traffic_counters() {
  const CounterNames names = names_by_use();
  return {names.shared.begin(), names.shared.end()};
}

roofline::Counted counted_on_fewer(const roofline::Counted& whole, const roofline::Counters& bytes,
                                   const std::string& reason) {
  const CounterNames names = names_by_use();
  roofline::Counted counted = whole;
  counted.kernels.clear();  // their bytes are those of the whole device
  counted.seconds = 0;
  std::erase_if(counted.counters,
                [&names](const auto& one) { return !names.own.contains(one.first); });
  for (const std::string& name : names.shared)
    if (const auto found = bytes.find(name); found != bytes.end())
      counted.counters[name] = found->second;
    else if (whole.counters.contains(name))
      counted.missing.push_back({name, reason});
  counted.metrics = roofline::evaluate(counted.counters);
  return counted;
}

}  // namespace gpp
