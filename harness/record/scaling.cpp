#include "harness/record/scaling.h"

#include <fmt/format.h>

#include "harness/record/contradictions.h"
#include "harness/record/timing.h"
#include "roofline/json.h"

namespace gpp {
namespace {

using roofline::json_number;
using roofline::JsonPlace;
namespace bounds = roofline::bounds;

Json point_json(const ScalingPoint& point, const char* gain_name, double gain, double efficiency) {
  const Timing timing = summarize(point.samples);
  return {{"ranks", point.ranks},
          {"states", point.states},
          {"seconds", json_number(timing.median)},
          {"low", json_number(timing.low)},
          {"high", json_number(timing.high)},
          {gain_name, json_number(gain)},
          {"efficiency", json_number(efficiency)},
          {"wait", json_number(point.wait)},
          {"transport", point.transport},
          {"samples", roofline::numbers_json(point.samples)}};
}

std::vector<ScalingPoint> read_points(const JsonPlace& list, const char* gain_name, bool strong) {
  std::vector<ScalingPoint> points;
  for (const JsonPlace& place : list.elements(bounds::results)) {
    ScalingPoint point{place["ranks"].small_integer(1), place["states"].small_integer(1),
                       place["samples"].reals(bounds::run_seconds),
                       place["wait"].real(bounds::share),
                       place["transport"].text(bounds::name_length)};
    if (point.samples.empty()) place["samples"].refuse("no samples");
    if (!points.empty() && point.ranks <= points.back().ranks)
      place["ranks"].refuse("not more than at the point before");
    points.push_back(std::move(point));
    const std::size_t last = points.size() - 1;
    require_same(place["seconds"], points.back().seconds(), "the samples");
    require_same(place[gain_name], speedup_of(points, last), "the samples");
    require_same(place["efficiency"],
                 strong ? strong_efficiency(points, last) : weak_efficiency(points, last),
                 "the samples and ranks");
  }
  return points;
}

std::vector<int> read_sample(const JsonPlace& place) {
  std::vector<int> sample;
  for (const JsonPlace& element : place.elements())
    sample.push_back(element.small_integer(1, 1'000'000'000));
  return sample;
}

}  // namespace

Json to_json(const ScalingStep& step) {
  return {{"compute_s", json_number(step.compute)},
          {"transfer_s", json_number(step.transfer)},
          {"wait_s", json_number(step.wait)},
          {"overlap", json_number(step.overlap)}};
}

ScalingStep read_scaling_step(const JsonPlace& place) {
  return {place["compute_s"].real(bounds::seconds), place["transfer_s"].real(bounds::seconds),
          place["wait_s"].real(bounds::seconds), place["overlap"].real(bounds::share)};
}

Json to_json(const ScalingRank& rank) {
  return {{"host", rank.host},
          {"device", rank.device},
          {"cores", rank.cores},
          {"own_g", rank.own_g},
          {"bands", rank.bands},
          {"predicted_bytes", rank.predicted_bytes},
          {"measured_bytes", rank.measured_bytes},
          {"busy", json_number(rank.busy)}};
}

ScalingRank read_scaling_rank(const JsonPlace& place) {
  return {place["host"].text(bounds::name_length),
          place["device"].text(bounds::name_length),
          place["cores"].small_integer(),
          place["own_g"].small_integer(0, 1'000'000'000),
          place["bands"].small_integer(0, 1'000'000'000),
          place["predicted_bytes"].integer(0, bounds::large),
          place["measured_bytes"].integer(0, bounds::large),
          place["busy"].real(bounds::share)};
}

double ScalingPoint::seconds() const { return summarize(samples).median; }

double speedup_of(const std::vector<ScalingPoint>& points, std::size_t i) {
  return points.front().seconds() / points[i].seconds();
}

double strong_efficiency(const std::vector<ScalingPoint>& points, std::size_t i) {
  return speedup_of(points, i) * points.front().ranks / points[i].ranks;
}

double weak_efficiency(const std::vector<ScalingPoint>& points, std::size_t i) {
  return speedup_of(points, i);
}

Json to_json(const ScalingRecord& scaling) {
  Json json = {
      {"ranks", scaling.ranks},       {"pools", scaling.pools},         {"states", scaling.states},
      {"exchange", scaling.exchange}, {"transport", scaling.transport}, {"remark", scaling.remark},
      {"sample", scaling.sample},     {"sums", scaling.sums},           {"steps", Json::array()},
      {"by_rank", Json::array()},     {"strong", Json::array()},        {"weak", Json::array()}};
  for (const ScalingStep& step : scaling.steps) json["steps"].push_back(to_json(step));
  for (const ScalingRank& rank : scaling.by_rank) json["by_rank"].push_back(to_json(rank));
  for (std::size_t i = 0; i < scaling.strong.size(); ++i)
    json["strong"].push_back(point_json(scaling.strong[i], "speedup", speedup_of(scaling.strong, i),
                                        strong_efficiency(scaling.strong, i)));
  for (std::size_t i = 0; i < scaling.weak.size(); ++i)
    json["weak"].push_back(point_json(scaling.weak[i], "time_ratio", speedup_of(scaling.weak, i),
                                      weak_efficiency(scaling.weak, i)));
  return json;
}

ScalingRecord read_scaling(const JsonPlace& place) {
  ScalingRecord scaling;
  scaling.ranks = place["ranks"].small_integer(1);
  scaling.pools = place["pools"].small_integer(1, scaling.ranks);
  scaling.states = place["states"].small_integer(1);
  scaling.exchange = place["exchange"].name();
  scaling.transport = place["transport"].text(bounds::name_length);
  scaling.remark = place["remark"].text();
  scaling.sample = read_sample(place["sample"]);
  for (const char* sum : {"asx", "ach"}) {
    Json states = Json::array();
    for (const JsonPlace& state : place["sums"][sum].elements()) {
      Json frequencies = Json::array();
      for (const JsonPlace& value : state.elements(3))
        frequencies.push_back(value.reals(bounds::finite));
      states.push_back(frequencies);
    }
    scaling.sums[sum] = states;
  }
  for (const JsonPlace& step : place["steps"].elements())
    scaling.steps.push_back(read_scaling_step(step));
  for (const JsonPlace& rank : place["by_rank"].elements())
    scaling.by_rank.push_back(read_scaling_rank(rank));
  if (scaling.by_rank.size() != static_cast<std::size_t>(scaling.ranks))
    place["by_rank"].refuse(fmt::format("{} ranks of {}", scaling.by_rank.size(), scaling.ranks));
  scaling.strong = read_points(place["strong"], "speedup", true);
  scaling.weak = read_points(place["weak"], "time_ratio", false);
  return scaling;
}

}  // namespace gpp
