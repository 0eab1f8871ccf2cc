#include "roofline/model.h"

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

/// The bandwidth of a level. A level outside the model uses the ceiling with its own name.
std::optional<double> bandwidth_at(const Ceilings& ceilings, const Model& model,
                                   const std::string& level) {
  const Level* known = model.find_level(level);
  return known == nullptr ? roof(ceilings, level, CeilingKind::bandwidth)
                          : bandwidth_of(ceilings, *known);
}

bool is_beside(const Model& model, const std::string& level) {
  const Level* known = model.find_level(level);
  return known == nullptr || known->beside;
}

LevelPoint level_point(const Traffic& traffic, double bandwidth, double peak,
                       const RooflinePoint& point) {
  LevelPoint level;
  level.level = traffic.level;
  level.bytes = traffic.bytes;
  level.intensity = point.flop / traffic.bytes;
  level.attainable = std::min(peak, level.intensity * bandwidth);
  level.percent = 100 * point.flop_per_s / level.attainable;
  level.seconds = traffic.bytes / bandwidth;
  return level;
}

/// The longest time limits the run.
void find_the_roof(RooflinePoint& point) {
  double longest = point.compute_seconds;
  point.bound_by = "compute";
  for (const LevelPoint& level : point.levels) {
    if (level.seconds <= longest) continue;
    longest = level.seconds;
    point.bound_by = level.level;
  }
  point.percent_of_roof = 100 * longest / point.seconds;
}

bool passes(double value, double limit) { return value > limit * (1 + tolerance); }

void check_roofs(RooflinePoint& point) {
  const auto too_fast = [&point](std::string_view what, double seconds) {
    if (!passes(seconds, point.seconds)) return;
    point.defects.push_back(fmt::format(
        "{} needs {:.3g} s at its measured ceiling, but the run took {:.3g} s ({:.0f}%): the count "
        "is too high, the ceiling was measured too low, or the clocks differed",
        what, seconds, point.seconds, 100 * seconds / point.seconds));
  };
  too_fast("the arithmetic", point.compute_seconds);
  for (const LevelPoint& level : point.levels) {
    const std::string traffic = fmt::format("the traffic of {}", level.level);
    too_fast(point.analytic ? traffic + ", were nothing kept in caches," : traffic, level.seconds);
  }
}

void check_mix(RooflinePoint& point) {
  if (!point.fma_mix_ceiling || !passes(point.flop_per_s, *point.fma_mix_ceiling)) return;
  point.defects.push_back(fmt::format(
      "{:.4g} FLOP/s are more than the {:.4g} that this share of fused multiply-adds allows",
      point.flop_per_s, *point.fma_mix_ceiling));
}

/// Checks each level's bytes against those of the next nearer level.
void check_order(const Model& model, RooflinePoint& point) {
  const LevelPoint* near = nullptr;
  for (const LevelPoint& far : point.levels) {
    if (is_beside(model, far.level)) continue;
    const char* unit = model.counts_transactions() ? "sectors" : "B";
    if (near != nullptr && passes(far.bytes, near->bytes))
      point.defects.push_back(fmt::format(
          "{} moved {:.4g} {}, more than the {:.4g} {} of {}: whole sectors fetched for parts of "
          "them, fetches ahead, copies past {} (a GPU's asynchronous ones, into shared memory), or "
          "other traffic of the device were counted with it",
          far.level, far.bytes, unit, near->bytes, unit, near->level, near->level));
    near = &far;
  }
}

/// Whether nobody knows the roof, and the roofs say why: its level is left out then.
bool is_untold(const Ceilings& ceilings, const Model& model, const std::string& level) {
  const Level* known = model.find_level(level);
  const std::string& name = known == nullptr ? level : known->roof;
  return ceilings.find(name) == nullptr &&
         std::ranges::find(ceilings.missing, name, &Missing::name) != ceilings.missing.end();
}

/// Empty where a level's bytes or bandwidth are not known.
std::optional<std::vector<LevelPoint>> place_levels(const Activity& activity,
                                                    const Ceilings& ceilings, const Model& model,
                                                    double peak, const RooflinePoint& point) {
  std::vector<LevelPoint> levels;
  for (const Traffic& traffic : activity.traffic) {
    if (traffic.bytes == 0) continue;
    if (is_untold(ceilings, model, traffic.level)) continue;
    const auto bandwidth = bandwidth_at(ceilings, model, traffic.level);
    if (!bandwidth || !is_positive(traffic.bytes)) return std::nullopt;
    const LevelPoint level = level_point(traffic, *bandwidth, peak, point);
    if (is_beside(model, level.level) && level.seconds < least_share_beside * point.seconds)
      continue;
    levels.push_back(level);
  }
  std::ranges::sort(
      levels, [](const LevelPoint& a, const LevelPoint& b) { return is_nearer(a.level, b.level); });
  return levels;
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

std::optional<RooflinePoint> roofline_point(const Activity& activity, const Ceilings& ceilings) {
  const Model* model = model_of(ceilings, activity.precision);
  if (model == nullptr) return std::nullopt;
  const auto peak =
      roof(ceilings, model->peak, model->moves ? CeilingKind::bandwidth : CeilingKind::compute);
  if (!peak || !is_positive(activity.flop) || !is_positive(activity.seconds)) return std::nullopt;

  RooflinePoint point;
  point.precision = activity.precision;
  point.flop = activity.flop;
  point.seconds = activity.seconds;
  point.flop_per_s = activity.flop / activity.seconds;
  if (activity.active) point.active_per_s = *activity.active / activity.seconds;
  point.analytic = activity.analytic;
  auto levels = place_levels(activity, ceilings, *model, *peak, point);
  if (!levels || levels->empty()) return std::nullopt;
  point.levels = std::move(*levels);
  point.compute_seconds = model->moves ? 0 : activity.flop / *peak;
  point.percent_of_peak = 100 * point.flop_per_s / *peak;
  if (activity.fma_fraction) point.fma_mix_ceiling = *peak * (1 + *activity.fma_fraction) / 2;
  find_the_roof(point);

  check_roofs(point);
  check_mix(point);
  check_order(*model, point);
  return point;
}

}  // namespace roofline
