#include "harness/record/scaling.h"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

#include "harness/record/record_json.h"
#include "harness/record/timing.h"
#include "roofline/base/json_place.h"

namespace gpp {

using roofline::any_size;
using roofline::Fields;
using roofline::json_number;
using roofline::short_text;
using roofline::Whole;
namespace bounds = roofline::bounds;

void fields(Fields& field, ScalingStep& step) {
  using roofline::may_lack;
  field("compute_s", step.compute, bounds::seconds, "mean of all ranks");
  field(may_lack("slowest_s"), step.slowest, bounds::seconds, "of the rank that computed longest");
  field(may_lack("slowest_rank"), step.slowest_rank, Whole{}, "from 0");
  field("transfer_s", step.transfer, bounds::seconds, "of the blocks that came fastest");
  field(may_lack("late_s"), step.late, bounds::seconds, "so much longer in the mean");
  field("wait_s", step.wait, bounds::seconds, "of the transfer, what the sum did not hide");
  field("overlap", step.overlap, bounds::share, "the hidden share of the transfer");
}

void fields(Fields& field, ScalingRank& rank) {
  constexpr Whole count{0, 1'000'000'000};
  field("host", rank.host, short_text);
  field("device", rank.device, short_text);
  field("cores", rank.cores, Whole{});
  field("own_g", rank.own_g, count);
  field("bands", rank.bands, count);
  field("predicted_bytes", rank.predicted_bytes, any_size, "of the arrays, from the dimensions");
  field("measured_bytes", rank.measured_bytes, any_size,
        "that the process, or the device, holds more than before");
  field("busy", rank.busy, bounds::share, "of the time in which it computed");
}

void fields(Fields& field, ScalingPoint& point) {
  field("ranks", point.ranks, Whole{1});
  field("states", point.states, Whole{1});
  field("samples", point.samples, bounds::run_seconds, "seconds of each timed run");
  field("wait", point.wait, bounds::share, "of the time that ranks waited for blocks, their mean");
  field("transport", point.transport, short_text);
  if (field.reads() && point.samples.empty()) field.refuse("samples", "no samples");
}

void fields(Fields& field, ScalingRecord& scaling) {
  using States = std::vector<std::vector<std::array<double, 2>>>;
  const roofline::List<roofline::NoRule> points{{}, bounds::results};
  field("ranks", scaling.ranks, Whole{1});
  field("pools", scaling.pools, Whole{1}, "groups of ranks that took different states");
  field("states", scaling.states, Whole{1});
  field("exchange", scaling.exchange, roofline::a_name, "gather, ring or blocking");
  field("transport", scaling.transport, short_text, "how blocks of bands passed: NCCL, MPI");
  field("sample", scaling.sample, Whole{1, 1'000'000'000},
        "the G' that were checked over all bands, from 1; empty: all");
  field.group(
      "sums",
      [&] {
        for (const char* key : {"asx", "ach"}) {
          States states;
          if (scaling.sums.contains(key)) states = scaling.sums[key].get<States>();
          field(key, states, bounds::finite,
                "[[real, imaginary], ...] by frequency, of each state");
          if (field.reads()) scaling.sums[key] = states;
        }
      },
      "of each state over all G' and bands, Ry");
  field("steps", scaling.steps, "means over states and timed runs");
  field("by_rank", scaling.by_rank);
  field("strong", scaling.strong, points, "the same work on ever more ranks");
  field("weak", scaling.weak, points, "a state more for every rank more");
  if (!field.reads()) return;
  if (scaling.pools > scaling.ranks) field.refuse("pools", "more pools than ranks");
  if (scaling.by_rank.size() != static_cast<std::size_t>(scaling.ranks))
    field.refuse("by_rank", fmt::format("{} ranks of {}", scaling.by_rank.size(), scaling.ranks));
  for (const auto& [key, list] : {std::pair("strong", &scaling.strong), {"weak", &scaling.weak}})
    for (std::size_t i = 1; i < list->size(); ++i)
      if ((*list)[i].ranks <= (*list)[i - 1].ranks)
        field.refuse(key, fmt::format("point {} has no more ranks than the one before", i));
}

double ScalingPoint::seconds() const { return summarize(samples).median; }

double speedup_of(const std::vector<ScalingPoint>& points, std::size_t i) {
  return points.front().seconds() / points[i].seconds();
}

double efficiency_of(const std::vector<ScalingPoint>& points, std::size_t i, bool strong) {
  const double growth = static_cast<double>(points[i].ranks) / points.front().ranks;
  return speedup_of(points, i) / (strong ? growth : 1);
}

Json to_json(const ScalingRecord& scaling) {
  Json json = roofline::facts_json(scaling);
  for (const bool strong : {true, false}) {
    const std::vector<ScalingPoint>& points = strong ? scaling.strong : scaling.weak;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const Timing timing = summarize(points[i].samples);
      json[strong ? "strong" : "weak"][i].update(
          {{"seconds", json_number(timing.median)},
           {"low", json_number(timing.low)},
           {"high", json_number(timing.high)},
           {strong ? "speedup" : "time_ratio", json_number(speedup_of(points, i))},
           {"efficiency", json_number(efficiency_of(points, i, strong))}});
    }
  }
  return json;
}

}  // namespace gpp
