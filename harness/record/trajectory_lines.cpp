#include "harness/record/trajectory_lines.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/record/derive.h"
#include "roofline/verdict.h"

namespace gpp {
namespace {

using roofline::LevelPoint;
using roofline::RooflinePoint;

constexpr const char* all_instructions = "instructions";
constexpr double threads_of_warp = 32;

const RooflinePoint* instructions_of(const Result& result) {
  for (const RooflinePoint& point : result.instructions)
    if (point.precision == all_instructions) return &point;
  return nullptr;
}

/// The roofline point of a result in that model.
const RooflinePoint* place_of(const Result& result, const std::string& work) {
  if (work == all_instructions) return instructions_of(result);
  for (const RooflinePoint& point : result.rooflines)
    if (point.precision == work) return &point;
  return nullptr;
}

/// The model for drawing a line: the precision with most counted operations. Work that only moves
/// bytes has no intensity there, so its instructions are used.
std::string work_of(const std::vector<TrajectoryStop>& stops) {
  for (auto stop = stops.rbegin(); stop != stops.rend(); ++stop) {
    const RooflinePoint* leading = stop->result->roofline();
    if (leading != nullptr && !roofline::only_moves(*leading)) return leading->precision;
    if (instructions_of(*stop->result) != nullptr) return all_instructions;
  }
  return "";
}

/// The bytes at a level, on the most units where they are known.
std::optional<double> bytes_on_most(const std::vector<TrajectoryStop>& stops,
                                    const std::string& work, const std::string& level) {
  for (auto stop = stops.rbegin(); stop != stops.rend(); ++stop)
    if (const RooflinePoint* point = place_of(*stop->result, work))
      if (const LevelPoint* one = point->find_level(level); one != nullptr && one->bytes > 0)
        return one->bytes;
  return std::nullopt;
}

std::vector<std::string> levels_of(const std::vector<TrajectoryStop>& stops,
                                   const std::string& work) {
  std::vector<std::string> levels;
  for (const TrajectoryStop& stop : stops)
    if (const RooflinePoint* point = place_of(*stop.result, work))
      for (const LevelPoint& one : point->levels)
        if (std::ranges::find(levels, one.level) == levels.end()) levels.push_back(one.level);
  std::ranges::sort(levels, roofline::is_nearer);
  return levels;
}

StopLevel level_at(const RooflinePoint& point, const std::string& level, double otherwise) {
  StopLevel found;
  found.level = level;
  if (const LevelPoint* one = point.find_level(level)) {
    found.intensity = one->intensity;
    found.counted = !point.analytic;
    found.share = one->seconds / point.seconds;
    return found;
  }
  found.intensity = point.flop / otherwise;
  return found;
}

/// The FP64 pipe's instructions relative to the pipe's roof, measured on that many units.
std::optional<double> pipe_share(const TrajectoryStop& stop, const std::string& kind) {
  const roofline::Ceilings* ceilings = ceilings_of_kind(stop.point->study, kind);
  const roofline::Ceiling* roof = ceilings == nullptr ? nullptr : ceilings->find("issue_fp64");
  const auto threads =
      roofline::metric_value(stop.result->counted.metrics, "fp64_pipe_instructions");
  if (roof == nullptr || !(roof->measured > 0) || !threads) return std::nullopt;
  return *threads / threads_of_warp / stop.seconds / roof->measured;
}

void add_levels(TrajectoryLine& line) {
  const std::vector<std::string> levels = levels_of(line.stops, line.work);
  for (TrajectoryStop& stop : line.stops) {
    const RooflinePoint* point = place_of(*stop.result, line.work);
    if (point == nullptr) continue;
    stop.rate = point->flop_per_s;
    stop.compute = point->percent_of_peak / 100;
    for (const std::string& level : levels)
      stop.levels.push_back(level_at(*point, level, *bytes_on_most(line.stops, line.work, level)));
    for (StopLevel& level : stop.levels) {
      const StopLevel* first = line.stops.front().find(level.level);
      if (level.share && first != nullptr && first->share)
        level.change = level.intensity / first->intensity;
    }
    if (const RooflinePoint* all = instructions_of(*stop.result))
      stop.issue = all->percent_of_peak / 100;
    if (line.work == "fp64") stop.pipe = pipe_share(stop, stop.result->kind);
  }
}

/// A roof, and the share of the run's time that it explains.
struct Nearest {
  std::string name = {};
  double share = 0;
  double more = 1;  ///< bytes at the level, relative to the fewest units
};

Nearest nearest_roof(const TrajectoryLine& line, const TrajectoryStop& stop) {
  Nearest nearest;
  const auto offer = [&nearest](const std::string& name, std::optional<double> share,
                                double more = 1) {
    if (share && *share > nearest.share) nearest = {name, *share, more};
  };
  if (line.work != all_instructions) offer("compute", stop.compute);
  offer("compute", stop.pipe);
  offer("issue", stop.issue);
  for (const StopLevel& level : stop.levels)
    offer(level.level, level.share, level.change ? 1 / *level.change : 1);
  return nearest;
}

std::string percent(double share) { return fmt::format("{:.0f}%", 100 * share); }

Limit limit_of(const TrajectoryLine& line, const TrajectoryStop& stop) {
  const Nearest nearest = nearest_roof(line, stop);
  if (nearest.name.empty()) return {"unknown", "nothing was counted"};
  const std::string evidence = fmt::format("{} {}", nearest.name, percent(nearest.share));
  const bool outer = nearest.name != "compute" && nearest.name != "issue" && nearest.name != "l1" &&
                     nearest.name != "shared";
  if (100 * nearest.share >= roofline::near_share) {
    if (outer && nearest.more >= more_bytes)
      return {"cache capacity", fmt::format("{}, {:.2g}x the bytes of {}", evidence, nearest.more,
                                            line.stops.front().units)};
    return {nearest.name, percent(nearest.share)};
  }
  const RooflinePoint* point = place_of(*stop.result, line.work);
  // Pipe utilisation is counted only on the whole device; pipe_share() gives it for each part.
  roofline::Metrics metrics = stop.result->counted.metrics;
  for (const char* pipe : {"fp64_pipe", "fp32_pipe", "tensor_pipe"}) metrics.erase(pipe);
  const roofline::Verdict why = roofline::verdict(*point, metrics);
  if (why.by == "scalar code" || why.by == "division" || !why.evidence.empty())
    return {why.by == roofline::no_roof_near ? "latency" : why.by,
            why.by == roofline::no_roof_near ? evidence : why.evidence};
  return {"latency", evidence};
}

std::vector<TrajectoryLine> empty_lines(const Trajectory& trajectory) {
  std::vector<TrajectoryLine> lines;
  for (const TrajectoryPoint& point : trajectory.points)
    for (const Result& result : point.study.results) {
      const bool known = std::ranges::any_of(lines, [&](const TrajectoryLine& line) {
        return line.variant == result.variant && line.model == result.model &&
               line.size == point.size;
      });
      if (!known && result.timed())
        lines.push_back({result.variant, result.step, result.model, point.size, "", {}});
    }
  return lines;
}

void add_stops(const Trajectory& trajectory, TrajectoryLine& line) {
  for (const TrajectoryPoint& point : trajectory.points)
    for (const Result& result : point.study.results)
      if (point.size == line.size && result.variant == line.variant && result.model == line.model &&
          result.timed())
        line.stops.push_back({.units = point.units,
                              .point = &point,
                              .result = &result,
                              .seconds = result.timing().median});
  std::ranges::sort(line.stops, [](const TrajectoryStop& a, const TrajectoryStop& b) {
    return a.units < b.units;
  });
  for (TrajectoryStop& stop : line.stops) {
    const TrajectoryStop& first = line.stops.front();
    stop.speedup = first.seconds / stop.seconds;
    stop.efficiency = stop.speedup * first.units / stop.units;
  }
}

}  // namespace

const StopLevel* TrajectoryStop::find(const std::string& level) const {
  for (const StopLevel& one : levels)
    if (one.level == level) return &one;
  return nullptr;
}

std::string TrajectoryLine::label(bool several_sizes) const {
  return several_sizes ? variant + " " + size : variant;
}

std::vector<TrajectoryLine> lines_of(const Trajectory& trajectory) {
  std::vector<TrajectoryLine> lines = empty_lines(trajectory);
  for (TrajectoryLine& line : lines) {
    add_stops(trajectory, line);
    line.work = work_of(line.stops);
    add_levels(line);
    for (TrajectoryStop& stop : line.stops) stop.limit = limit_of(line, stop);
  }
  return lines;
}

std::vector<std::string> levels_of(const TrajectoryLine& line) {
  std::vector<std::string> levels;
  for (const TrajectoryStop& stop : line.stops)
    for (const StopLevel& level : stop.levels)
      if (std::ranges::find(levels, level.level) == levels.end()) levels.push_back(level.level);
  return levels;
}

}  // namespace gpp
