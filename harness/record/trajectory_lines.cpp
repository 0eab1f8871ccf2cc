#include "harness/record/trajectory_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "harness/record/derive.h"
#include "roofline/advice.h"
#include "roofline/base/units.h"

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

/// The bytes at each level, nearest first, on the most units where they are known.
std::vector<LevelPoint> levels_on_most(const std::vector<TrajectoryStop>& stops,
                                       const std::string& work) {
  std::vector<LevelPoint> levels;
  for (auto stop = stops.rbegin(); stop != stops.rend(); ++stop)
    if (const RooflinePoint* point = place_of(*stop->result, work))
      for (const LevelPoint& one : point->levels)
        if (one.bytes > 0 && std::ranges::count(levels, one.level, &LevelPoint::level) == 0)
          levels.push_back(one);
  std::ranges::sort(levels, roofline::is_nearer, &LevelPoint::level);
  return levels;
}

/// `known` is the level on other units, whose bytes stand in for uncounted ones.
StopLevel level_at(const RooflinePoint& point, const LevelPoint& known) {
  StopLevel found{known.level, point.flop / known.bytes};
  if (const LevelPoint* one = point.find_level(known.level))
    found = {known.level, one->intensity, !point.analytic, one->seconds / point.seconds};
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
  const std::vector<LevelPoint> levels = levels_on_most(line.stops, line.work);
  for (TrajectoryStop& stop : line.stops) {
    const RooflinePoint* point = place_of(*stop.result, line.work);
    if (point == nullptr) continue;
    stop.rate = point->flop_per_s;
    stop.compute = point->percent_of_peak / 100;
    for (const LevelPoint& known : levels) {
      StopLevel& level = stop.levels.emplace_back(level_at(*point, known));
      const StopLevel* first = line.stops.front().find(level.level);
      if (level.share && first != nullptr && first->share)
        level.change = level.intensity / first->intensity;
    }
    if (const RooflinePoint* all = instructions_of(*stop.result))
      stop.issue = all->percent_of_peak / 100;
    if (line.work == "fp64") stop.pipe = pipe_share(stop, stop.result->kind);
  }
}

/// The roof that explains most of the run, near or far.
Limit limit_of(const TrajectoryLine& line, const TrajectoryStop& stop) {
  std::vector<std::pair<std::string, std::optional<double>>> shares = {
      {"compute", line.work == all_instructions ? std::nullopt : stop.compute},
      {"compute", stop.pipe},
      {"issue", stop.issue}};
  for (const StopLevel& level : stop.levels) shares.emplace_back(level.level, level.share);
  const auto nearest =
      std::ranges::max_element(shares, {}, [](const auto& one) { return one.second.value_or(0); });
  const auto& [name, share] = *nearest;
  if (!share || !(*share > 0)) return {"unknown", ""};
  const std::string reached = roofline::percent_text(100 * *share, 0);
  if (100 * *share >= roofline::near_share) {
    const StopLevel* level = stop.find(name);
    constexpr std::array own = {"l1", "shared"};  // each unit has its own
    const double more = level != nullptr && level->change ? 1 / *level->change : 1;
    if (more < more_bytes || std::ranges::count(own, name) > 0) return {name, reached};
    return {"cache capacity", fmt::format("{} {}, {:.2g}x the bytes of {}", name, reached, more,
                                          line.stops.front().units)};
  }
  // Pipe utilisation is counted only on the whole device; pipe_share() gives it for each part.
  roofline::Metrics metrics = stop.result->counted.metrics;
  for (const char* pipe : {"fp64_pipe", "fp32_pipe", "tensor_pipe"}) metrics.erase(pipe);
  const roofline::Verdict why = roofline::verdict(*place_of(*stop.result, line.work), metrics);
  if (why.by == roofline::no_roof_near || why.evidence.empty())
    return {"latency", name + " " + reached};
  return {why.by, why.evidence};
}

/// The line of that result; it is added if there is none yet.
TrajectoryLine& line_for(std::vector<TrajectoryLine>& lines, const Result& result,
                         const std::string& size) {
  for (TrajectoryLine& line : lines)
    if (line.variant == result.variant && line.model == result.model && line.size == size)
      return line;
  return lines.emplace_back(TrajectoryLine{result.variant, result.model, size});
}

void add_speedups(TrajectoryLine& line) {
  std::ranges::sort(line.stops, {}, &TrajectoryStop::units);
  const TrajectoryStop first = line.stops.front();
  for (TrajectoryStop& stop : line.stops) {
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
  std::vector<TrajectoryLine> lines;
  for (const TrajectoryPoint& point : trajectory.points)
    for (const Result& result : point.study.results)
      if (result.timed())
        line_for(lines, result, point.size)
            .stops.push_back({.units = point.units,
                              .point = &point,
                              .result = &result,
                              .seconds = result.timing().median});
  for (TrajectoryLine& line : lines) {
    add_speedups(line);
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
