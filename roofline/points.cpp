#include "roofline/points.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace roofline {
namespace {

bool is_positive(double value) { return std::isfinite(value) && value > 0; }

/// The measured value of a ceiling, if there is one.
std::optional<double> roof(const Ceilings& ceilings, const std::string& name, CeilingKind kind) {
  const Ceiling* ceiling = ceilings.find(name);
  if (ceiling == nullptr || ceiling->kind != kind || !is_positive(ceiling->measured))
    return std::nullopt;
  return ceiling->measured;
}

/// The reason that the ceilings tell for a missing one, or nullptr.
const std::string* told_missing(const Ceilings& ceilings, const std::string& name) {
  const auto found = std::ranges::find(ceilings.missing, name, &Missing::name);
  return found == ceilings.missing.end() ? nullptr : &found->reason;
}

/// Adds the levels at which the work moved bytes. Returns why it has no point, or "".
std::string place_levels(const Model& model, const Metrics& metrics, const Ceilings& ceilings,
                         double peak, RooflinePoint& point) {
  for (const Level& level : model.levels) {
    const double bytes = metric_value(metrics, level.traffic).value_or(0);
    const bool untold =
        ceilings.find(level.roof) == nullptr && told_missing(ceilings, level.roof) != nullptr;
    if (bytes == 0 || untold) continue;
    const auto bandwidth = bandwidth_of(ceilings, level);
    if (!bandwidth) return fmt::format("the roof of {} was not measured", level.label);
    if (!is_positive(bytes)) return fmt::format("the bytes of {} are no such number", level.label);
    const double seconds = bytes / *bandwidth;
    if (level.beside && seconds < least_share_beside * point.seconds) continue;
    const double intensity = point.flop / bytes,
                 attainable = std::min(peak, intensity * *bandwidth);
    point.levels.push_back(
        {level.name, bytes, intensity, attainable, 100 * point.flop_per_s / attainable, seconds});
  }
  return point.levels.empty() ? "no level of memory moved any bytes" : "";
}

bool passes(double value, double limit) { return value > limit * (1 + tolerance); }

/// No roof is exceeded, the FMA mix's neither.
void check_roofs(RooflinePoint& point) {
  const auto too_fast = [&point](std::string_view what, double seconds) {
    if (!passes(seconds, point.seconds)) return;
    point.defects.push_back(fmt::format(
        "{} needs {:.3g} s at its measured ceiling, but the run took {:.3g} s ({:.0f}%): the count "
        "is too high, the ceiling was measured too low, or the clocks differed",
        what, seconds, point.seconds, 100 * seconds / point.seconds));
  };
  too_fast("the arithmetic", point.compute_seconds);
  for (const LevelPoint& level : point.levels)
    too_fast(fmt::format("the traffic of {}{}", level.level,
                         point.analytic ? ", were nothing kept in caches," : ""),
             level.seconds);
  if (point.fma_mix_ceiling && passes(point.flop_per_s, *point.fma_mix_ceiling))
    point.defects.push_back(fmt::format(
        "{:.4g} FLOP/s are more than the {:.4g} that this share of fused multiply-adds allows",
        point.flop_per_s, *point.fma_mix_ceiling));
}

/// Each level moves no more than the next nearer one, and hardware counts all of them.
void check_levels(const Model& model, const Metrics& metrics, RooflinePoint& point) {
  const char* unit = model.counts_transactions() ? "sectors" : "B";
  const LevelPoint* near = nullptr;
  for (const LevelPoint& far : point.levels) {
    if (model.find_level(far.level)->beside) continue;
    if (near != nullptr && passes(far.bytes, near->bytes))
      point.defects.push_back(fmt::format(
          "{} moved {:.4g} {}, more than the {:.4g} {} of {}: whole sectors fetched for parts of "
          "them, fetches ahead, copies past {} (a GPU's asynchronous ones, into shared memory), or "
          "other traffic of the device were counted with it",
          far.level, far.bytes, unit, near->bytes, unit, near->level, near->level));
    near = &far;
  }
  for (const Level& level : model.levels)
    if (!point.analytic && !level.traffic.empty() && !metric_value(metrics, level.traffic))
      point.defects.push_back(fmt::format(
          "{} is missing: the roof of {} is not among those compared", level.traffic, level.name));
}

/// Adds the point of this work, or the reason why there is none; adds nothing if there was no work.
void place(RooflinePoints& placed, const Model& model, const Metrics& metrics, double seconds,
           CountedBy source, const Ceilings& ceilings) {
  RooflinePoint point;
  point.precision = model.name;
  point.flop = metric_value(metrics, model.work).value_or(0);
  if (!(point.flop > 0)) return;
  const auto refuse = [&](const std::string& why) { placed.missing.push_back({model.name, why}); };
  const auto peak =
      roof(ceilings, model.peak, model.moves ? CeilingKind::bandwidth : CeilingKind::compute);
  const std::string* told = told_missing(ceilings, model.peak);
  if (!peak)
    return refuse(told != nullptr ? *told
                                  : fmt::format("the roof of its arithmetic, {}, was not measured",
                                                model.peak));
  if (!is_positive(seconds) || !is_positive(point.flop)) return refuse("its time is not known");
  point.seconds = seconds;
  point.flop_per_s = point.flop / seconds;
  if (const auto active = metric_value(metrics, model.active))
    point.active_per_s = *active / seconds;
  point.analytic = !is_hardware(source);
  if (const std::string why = place_levels(model, metrics, ceilings, *peak, point); !why.empty())
    return refuse(why);
  point.compute_seconds = model.moves ? 0 : point.flop / *peak;
  point.percent_of_peak = 100 * point.flop_per_s / *peak;
  if (const auto fused = metric_value(metrics, model.fma_fraction))
    point.fma_mix_ceiling = *peak * (1 + *fused) / 2;
  double longest = point.compute_seconds;  // it limits the run
  point.bound_by = "compute";
  for (const LevelPoint& level : point.levels)
    if (level.seconds > longest) {
      longest = level.seconds;
      point.bound_by = level.level;
    }
  point.percent_of_roof = 100 * longest / seconds;
  check_roofs(point);
  check_levels(model, metrics, point);
  placed.points.push_back(std::move(point));
}

/// The operations of all precisions together.
double all_operations(const Metrics& metrics, const ModelTable& table) {
  double sum = 0;
  for (const Model& model : table.models)
    sum += std::max(0.0, metric_value(metrics, model.work).value_or(0));
  return sum;
}

}  // namespace

const LevelPoint* RooflinePoint::find_level(std::string_view level) const {
  const auto found = std::ranges::find(levels, level, &LevelPoint::level);
  return found == levels.end() ? nullptr : &*found;
}

std::optional<double> intensity_at(const RooflinePoint* point, std::string_view level) {
  const LevelPoint* const found = point == nullptr ? nullptr : point->find_level(level);
  return found == nullptr ? std::nullopt : std::optional(found->intensity);
}

std::string rate_unit(const Ceiling& ceiling) {
  if (ceiling.kind == CeilingKind::bandwidth) return "B/s";
  for (const ModelTable* table : all_tables())
    for (const Model& model : table->models)
      if (model.peak == ceiling.name) return model.rate_unit();
  if (ceiling.name.starts_with("issue")) return "IPS";
  return ceiling.name.starts_with("fp64_div") ? "div/s" : "FLOP/s";
}

bool only_moves(const RooflinePoint& point) {
  return std::ranges::any_of(all_tables(), [&point](const ModelTable* table) {
    return table->movement && table->movement->name == point.precision;
  });
}

std::optional<double> bandwidth_of(const Ceilings& ceilings, const Level& level) {
  const auto bytes = roof(ceilings, level.roof, CeilingKind::bandwidth);
  return bytes ? std::optional(*bytes / level.bytes_each) : std::nullopt;
}

const Model* model_of(const Ceilings& ceilings, const std::string& precision) {
  return table_of(ceilings.kind).find_model(precision);
}

RooflinePoints roofline_points(const Metrics& metrics, double seconds, CountedBy source,
                               const Ceilings& ceilings) {
  RooflinePoints placed;
  const ModelTable& table = table_of(ceilings.kind);
  for (const Model& model : table.models) place(placed, model, metrics, seconds, source, ceilings);
  const double all = all_operations(metrics, table);
  for (RooflinePoint& point : placed.points) point.share = point.flop / all;
  std::ranges::stable_sort(placed.points, std::greater(), &RooflinePoint::flop);
  return placed;
}

RooflinePoints roofline_points(const Counted& counted, double seconds, const Ceilings& ceilings) {
  return roofline_points(counted.metrics, seconds, counted.source, ceilings);
}

RooflinePoints movement_points(const Counted& counted, double seconds, const Ceilings& ceilings) {
  RooflinePoints placed;
  const ModelTable& table = table_of(ceilings.kind);
  if (table.movement && all_operations(counted.metrics, table) == 0)
    place(placed, *table.movement, counted.metrics, seconds, counted.source, ceilings);
  return placed;
}

RooflinePoints instruction_points(const Metrics& metrics, double seconds, CountedBy source,
                                  const Ceilings& ceilings) {
  RooflinePoints placed;
  for (const Model& model : table_of(ceilings.kind).instruction_models)
    if (metric_value(metrics, model.work))
      place(placed, model, metrics, seconds, source, ceilings);
    else
      placed.missing.push_back({model.name, fmt::format("{} was not counted", model.work)});
  return placed;
}

}  // namespace roofline
