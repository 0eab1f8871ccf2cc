#include "harness/view/trajectory_charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "harness/record/derive.h"

namespace gpp {
namespace {

using roofline::TrajectoryChart;
using roofline::TrajectoryCurve;

/// False for L1 and shared memory, which each unit has for itself, so all lines go straight up.
bool is_shared_by_units(const std::string& level) { return level != "l1" && level != "shared"; }

template <class Value>
void add_once(std::vector<Value>& list, const Value& value) {
  if (std::find(list.begin(), list.end(), value) == list.end()) list.push_back(value);
}

/// The roofs for each number of units, from the first size that has them.
std::vector<roofline::TrajectoryRoof> roofs_of(const Trajectory& trajectory,
                                               const roofline::Model& model,
                                               const std::string& level) {
  std::map<int, roofline::TrajectoryRoof> roofs;
  for (const TrajectoryPoint& point : trajectory.points) {
    const roofline::Ceilings* ceilings = ceilings_of_kind(point.study, trajectory.kind);
    const roofline::Level* of_model = model.find_level(level);
    if (ceilings == nullptr || of_model == nullptr) continue;
    const roofline::Ceiling* peak = ceilings->find(model.peak);
    const std::optional<double> bandwidth = roofline::bandwidth_of(*ceilings, *of_model);
    if (peak != nullptr && peak->measured > 0 && bandwidth)
      roofs.try_emplace(point.units,
                        roofline::TrajectoryRoof{point.units, peak->measured, *bandwidth});
  }
  std::vector<roofline::TrajectoryRoof> list;
  for (const auto& [units, roof] : roofs) list.push_back(roof);
  return list;
}

TrajectoryCurve curve_of(const TrajectoryLine& line, const std::string& level, bool sizes) {
  TrajectoryCurve curve;
  curve.label = line.label(sizes);
  for (const TrajectoryStop& stop : line.stops)
    if (const StopLevel* found = stop.find(level); found != nullptr && stop.rate > 0)
      curve.marks.push_back({stop.units, found->intensity, stop.rate, found->counted});
  return curve;
}

std::optional<TrajectoryPicture> picture_of(const Trajectory& trajectory,
                                            const std::vector<TrajectoryLine>& lines,
                                            const std::string& work, const std::string& level) {
  const roofline::Model* model = roofline::table_of(trajectory.kind).find_model(work);
  if (model == nullptr) return std::nullopt;
  TrajectoryChart chart{trajectory.device,
                        *model,
                        roofline::level_label(trajectory.kind, level),
                        units_name(trajectory.kind),
                        roofs_of(trajectory, *model, level),
                        {},
                        {}};
  std::vector<std::string> variants;
  for (const TrajectoryLine& line : lines) {
    if (line.work != work) {
      chart.notes.push_back(
          fmt::format("{} does other work", line.label(trajectory.sizes.size() > 1)));
      continue;
    }
    add_once(variants, line.model + " " + line.variant);
    if (!reaches(line, level)) {
      chart.notes.push_back(
          fmt::format("{} moves next to nothing there", line.label(trajectory.sizes.size() > 1)));
      continue;
    }
    TrajectoryCurve curve = curve_of(line, level, trajectory.sizes.size() > 1);
    curve.colour = static_cast<std::size_t>(
        std::find(variants.begin(), variants.end(), line.model + " " + line.variant) -
        variants.begin());
    curve.dash = static_cast<std::size_t>(
        std::find(trajectory.sizes.begin(), trajectory.sizes.end(), line.size) -
        trajectory.sizes.begin());
    if (!curve.marks.empty()) chart.curves.push_back(std::move(curve));
  }
  if (chart.curves.empty() || chart.roofs.empty()) return std::nullopt;
  std::string sizes;
  for (const std::string& size : trajectory.sizes) sizes += (sizes.empty() ? "" : ", ") + size;
  return TrajectoryPicture{
      fmt::format("{}; {}; {}", trajectory.kernel, sizes, trajectory.created.substr(0, 10)),
      std::move(chart)};
}

}  // namespace

bool reaches(const TrajectoryLine& line, const std::string& level) {
  return std::any_of(line.stops.begin(), line.stops.end(), [&level](const TrajectoryStop& stop) {
    const StopLevel* found = stop.find(level);
    return found != nullptr && found->share && *found->share >= least_share_of_level;
  });
}

std::string shown_level(const TrajectoryLine& line) {
  std::vector<std::string> levels;  // memory levels, nearest first
  for (const TrajectoryStop& stop : line.stops)
    for (const StopLevel& level : stop.levels) add_once(levels, level.level);
  const auto farthest =
      std::find_if(levels.rbegin(), levels.rend(),
                   [&line](const std::string& one) { return reaches(line, one); });
  if (farthest != levels.rend()) return *farthest;
  return levels.empty() ? "" : levels.back();
}

std::optional<TrajectoryPicture> trajectory_picture(const Trajectory& trajectory) {
  const std::vector<TrajectoryLine> lines = lines_of(trajectory);
  std::map<std::pair<std::string, std::string>, int> reached;  // number of lines by work and level
  for (const TrajectoryLine& line : lines)
    for (const std::string& level : levels_of(line))
      if (is_shared_by_units(level) && reaches(line, level)) ++reached[{line.work, level}];
  const auto most = std::ranges::max_element(reached, [](const auto& one, const auto& other) {
    if (one.second != other.second) return one.second < other.second;
    return roofline::is_nearer(one.first.second, other.first.second);
  });
  if (most == reached.end()) return std::nullopt;
  return picture_of(trajectory, lines, most->first.first, most->first.second);
}

std::optional<roofline::Chart> trajectory_chart(const Trajectory& trajectory) {
  const std::optional<TrajectoryPicture> picture = trajectory_picture(trajectory);
  if (!picture) return std::nullopt;
  return roofline::make_trajectory(picture->chart, "trajectory", picture->subtitle);
}

}  // namespace gpp
