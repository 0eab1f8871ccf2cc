#include "harness/report/trajectory_data.h"

#include <fmt/format.h>

#include "harness/record/trajectory_lines.h"
#include "harness/show/trajectory_chart.h"
#include "roofline/charts/chart.h"
#include "roofline/json.h"

namespace gpp {
namespace {

Json stop_json(const TrajectoryStop& stop, const std::string& level) {
  Json json = {{"units", stop.units},
               {"seconds", roofline::json_number(stop.seconds)},
               {"speedup", roofline::json_number(stop.speedup)},
               {"efficiency", roofline::json_number(stop.efficiency)},
               {"rate", stop.rate > 0 ? Json(stop.rate) : Json()},
               {"intensity", nullptr},
               {"counted", false},
               {"change", nullptr},
               {"limit", stop.limit.evidence.empty() || stop.limit.by == "unknown"
                             ? stop.limit.by
                             : fmt::format("{} ({})", stop.limit.by, stop.limit.evidence)}};
  if (const StopLevel* at = stop.find(level); at != nullptr) {
    json["intensity"] = roofline::json_number(at->intensity);
    json["counted"] = at->counted;
    if (at->change) json["change"] = roofline::json_number(*at->change);
  }
  return json;
}

Json line_json(const Trajectory& trajectory, const TrajectoryLine& line) {
  const roofline::Model* model = roofline::table_of(trajectory.kind).find_model(line.work);
  const std::string level = shown_level(line);
  const roofline::Level* of_model = model == nullptr ? nullptr : model->find_level(level);
  Json stops = Json::array();
  for (const TrajectoryStop& stop : line.stops) stops.push_back(stop_json(stop, level));
  return {{"label", fmt::format("{} {}", line.model, line.label(trajectory.sizes.size() > 1))},
          {"level", of_model == nullptr ? level : of_model->label},
          {"rate_unit", model == nullptr ? "" : model->rate_unit()},
          {"intensity_unit", model == nullptr ? "" : roofline::intensity_unit(*model)},
          {"stops", stops}};
}

Json curve_json(const roofline::TrajectoryCurve& curve) {
  Json marks = Json::array();
  for (const roofline::TrajectoryMark& mark : curve.marks)
    marks.push_back({{"units", mark.units},
                     {"intensity", roofline::json_number(mark.intensity)},
                     {"rate", roofline::json_number(mark.rate)},
                     {"counted", mark.counted}});
  return {{"label", curve.label}, {"colour", curve.colour}, {"dash", curve.dash}, {"marks", marks}};
}

Json chart_json(const TrajectoryPicture& picture) {
  const roofline::TrajectoryChart& chart = picture.chart;
  Json roofs = Json::array(), curves = Json::array();
  for (const roofline::TrajectoryRoof& roof : chart.roofs)
    roofs.push_back({{"units", roof.units}, {"peak", roof.peak}, {"bandwidth", roof.bandwidth}});
  for (const roofline::TrajectoryCurve& curve : chart.curves) curves.push_back(curve_json(curve));
  return {{"name", picture.name},
          {"level", chart.level},
          {"rate_unit", chart.model.rate_unit()},
          {"intensity_unit", roofline::intensity_unit(chart.model)},
          {"bandwidth_unit", chart.model.counts_transactions() ? "txn/s" : "B/s"},
          {"roofs", roofs},
          {"curves", curves},
          {"notes", chart.notes}};
}

}  // namespace

Json trajectory_data(const NamedTrajectory& named) {
  const Trajectory& trajectory = named.trajectory;
  Json lines = Json::array(), charts = Json::array();
  for (const TrajectoryLine& line : lines_of(trajectory))
    lines.push_back(line_json(trajectory, line));
  for (const TrajectoryPicture& picture : trajectory_pictures(trajectory))
    charts.push_back(chart_json(picture));
  return {{"name", named.name},
          {"device", trajectory.device},
          {"kind", trajectory.kind},
          {"units", units_name(trajectory.kind)},
          {"all_units", trajectory.units},
          {"complete", trajectory.complete},
          {"lost", trajectory.lost},
          {"lines", lines},
          {"charts", charts}};
}

std::vector<NamedStudy> studies_of(const NamedTrajectory& named) {
  std::vector<NamedStudy> studies;
  for (const std::string& size : named.trajectory.sizes) {
    const TrajectoryPoint* most = nullptr;
    for (const TrajectoryPoint& point : named.trajectory.points)
      if (point.size == size && (most == nullptr || point.units > most->units)) most = &point;
    if (most == nullptr) continue;
    studies.push_back({fmt::format("{}: {} on {} {}", named.name, size, most->units,
                                   units_name(named.trajectory.kind)),
                       most->study});
  }
  return studies;
}

}  // namespace gpp
