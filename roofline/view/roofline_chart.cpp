#include "roofline/view/roofline_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <string_view>

namespace roofline {
namespace {

/// FMA mixes that differ by less than this share one line.
constexpr double same_mix = 0.02;

const Roof* find_roof(const RooflineChart& chart, std::string_view name) {
  const auto found = std::ranges::find(chart.roofs, name, &Roof::name);
  return found == chart.roofs.end() ? nullptr : &*found;
}

bool holds(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

Roof compute_roof(const Ceiling& ceiling, const Model& model, bool thin) {
  return {ceiling.name,     ceiling.label,       ceiling.kind,      thin,
          ceiling.measured, ceiling.theoretical, model.rate_unit(), ceiling.clock_mhz};
}

/// A bandwidth ceiling in the unit of the model's level, which may be transactions of several
/// bytes. A ceiling that is no level of the model is drawn thin.
Roof bandwidth_roof(const Ceiling& ceiling, const Level* level) {
  const double each = level == nullptr ? 1 : level->bytes_each;
  Roof roof{level == nullptr ? ceiling.name : level->name,
            level == nullptr || each == 1 ? ceiling.label : level->label,
            ceiling.kind,
            false,
            ceiling.measured / each,
            ceiling.theoretical,
            each == 1 ? "B/s" : "txn/s",
            ceiling.clock_mhz};
  if (roof.theoretical) *roof.theoretical /= each;
  return roof;
}

/// True if a roof with the same line already exists.
bool is_covered(const Ceiling& ceiling, const std::vector<Roof>& roofs) {
  return std::ranges::any_of(roofs, [&ceiling](const Roof& roof) {
    return std::abs(std::log(roof.measured / ceiling.measured)) < 0.1;
  });
}

/// The bandwidths of levels with points, and thin lines for other levels unless they coincide.
std::vector<Roof> bandwidth_roofs(const Ceilings& ceilings, const Model& model,
                                  const std::vector<std::string>& levels) {
  std::vector<Roof> roofs;
  std::vector<std::string> drawn;
  for (const std::string& name : levels) {
    const Level* level = model.find_level(name);
    const Ceiling* ceiling = ceilings.find(level == nullptr ? name : level->roof);
    drawn.push_back(level == nullptr ? name : level->roof);
    if (ceiling != nullptr && ceiling->kind == CeilingKind::bandwidth &&
        drawable(ceiling->measured))
      roofs.push_back(bandwidth_roof(*ceiling, level));
  }
  for (const Ceiling& ceiling : ceilings.list) {
    if (ceiling.kind != CeilingKind::bandwidth || !drawable(ceiling.measured)) continue;
    if (model.counts_transactions() || holds(drawn, ceiling.name) || is_covered(ceiling, roofs))
      continue;
    roofs.push_back(bandwidth_roof(ceiling, nullptr));
    roofs.back().thin = true;
  }
  std::ranges::sort(roofs, std::greater(), &Roof::measured);
  return roofs;
}

/// The peak first, then lower compute roofs. For a model without operations the peak is a level's
/// bandwidth, drawn horizontally with the model's name.
std::vector<Roof> compute_roofs(const Ceilings& ceilings, const Model& model) {
  std::vector<Roof> roofs;
  const Ceiling* peak = ceilings.find(model.peak);
  if (peak != nullptr && drawable(peak->measured)) {
    roofs.push_back(compute_roof(*peak, model, false));
    if (model.moves) {
      roofs.back().name = model.name;
      roofs.back().kind = CeilingKind::compute;
    }
  }
  for (const std::string& name : model.thin) {
    const Ceiling* ceiling = ceilings.find(name);
    if (ceiling != nullptr && drawable(ceiling->measured))
      roofs.push_back(compute_roof(*ceiling, model, true));
  }
  return roofs;
}

/// The reason why a point cannot be drawn: "above the L1 roof"; else "".
std::string trouble(const RooflinePoint& point, const Model& model, double peak) {
  if (point.precision != model.name)
    return fmt::format("its operations are {}, not {}", point.precision, model.name);
  if (!drawable(height_of(point)) || point.levels.empty()) return "it has no place on the chart";
  if (point.flop_per_s > peak * (1 + tolerance))
    return fmt::format("it lies above the {} peak", model.title);
  for (const LevelPoint& level : point.levels) {
    if (!drawable(level.intensity)) return "it has no place on the chart";
    if (level.percent > 100 * (1 + tolerance))
      return fmt::format("it lies above the roof of {}", level.level);
  }
  return "";
}

/// Keeps the steps that can be drawn, and notes the others.
void take_steps(RooflineChart& chart, const std::vector<Step>& steps, double peak) {
  for (const Step& step : steps) {
    const std::string why = trouble(step.point, chart.model, peak);
    if (why.empty())
      chart.steps.push_back(step);
    else
      chart.notes.push_back(fmt::format("{} is not drawn: {}", step.label, why));
  }
  for (const Step& step : chart.steps)
    for (const LevelPoint& level : step.point.levels)
      if (!holds(chart.levels, level.level)) chart.levels.push_back(level.level);
  std::ranges::sort(chart.levels, is_nearer);
}

std::vector<MixRoof> mix_roofs(const std::vector<Step>& steps) {
  std::vector<MixRoof> mixes;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const double value = steps[i].point.fma_mix_ceiling.value_or(0);
    if (!drawable(value) || steps[i].part) continue;
    const auto same = std::ranges::find_if(
        mixes, [value](const MixRoof& mix) { return std::abs(mix.value / value - 1) < same_mix; });
    if (same == mixes.end())
      mixes.push_back({{i}, value});
    else
      same->steps.push_back(i);
  }
  std::ranges::sort(mixes, {}, &MixRoof::value);
  return mixes;
}

/// Walls reach up to their level's roof or the peak.
std::vector<WallLine> wall_lines(const RooflineChart& chart) {
  std::vector<WallLine> lines;
  for (const Wall& wall : chart.model.walls)
    if (const Roof* roof = find_roof(chart, wall.level))
      lines.push_back({wall.name, wall.label, wall.intensity,
                       std::min(chart.peak(), wall.intensity * roof->measured)});
  return lines;
}

/// Chooses axes that contain every point and every bandwidth's ridge, with room for labels.
void choose_axes(RooflineChart& chart) {
  double left = INFINITY, right = 0, bottom = INFINITY;
  for (const Step& step : chart.steps) {
    bottom = std::min(bottom, height_of(step.point));
    for (const LevelPoint& level : step.point.levels) {
      left = std::min(left, level.intensity);
      right = std::max(right, level.intensity);
    }
  }
  for (const WallLine& wall : chart.walls) {
    left = std::min(left, wall.intensity);
    right = std::max(right, wall.intensity);
    bottom = std::min(bottom, wall.top);
  }
  for (const Roof& roof : chart.roofs) {
    if (roof.kind == CeilingKind::compute) {
      bottom = std::min(bottom, roof.measured);
      continue;
    }
    left = std::min(left, chart.peak() / roof.measured / 2);
    right = std::max(right, chart.peak() / roof.measured);
  }
  chart.intensity = decades(left / 1.5, right * 1.5);
  const Roof& peak = *find_roof(chart, chart.model.peak);
  const double top = std::max(peak.measured, peak.theoretical.value_or(0));
  chart.flop_per_s = round_range(bottom / 2.5, top * 1.3);
}

/// The largest drawn bandwidth, B/s.
double steepest(const RooflineChart& chart, bool theoretical) {
  double bandwidth = 0;
  for (const Roof& roof : chart.roofs)
    if (roof.kind == CeilingKind::bandwidth)
      bandwidth = std::max(bandwidth,
                           theoretical ? roof.theoretical.value_or(roof.measured) : roof.measured);
  return bandwidth;
}

std::optional<Segment> visible_bandwidth(const RooflineChart& chart, double bandwidth,
                                         double peak) {
  const double left = std::max(chart.intensity.low, chart.flop_per_s.low / bandwidth);
  const double right = std::min(chart.intensity.high, peak / bandwidth);
  if (!(left < right)) return std::nullopt;
  return Segment{left, left * bandwidth, right, right * bandwidth};
}

}  // namespace

double height_of(const RooflinePoint& point) {
  return point.active_per_s.value_or(point.flop_per_s);
}

std::string intensity_unit(const Model& model) {
  return model.counts_transactions() ? "inst/txn" : model.unit + "/B";
}

double RooflineChart::peak() const {
  const Roof* roof = find_roof(*this, model.peak);
  return roof == nullptr ? 0 : roof->measured;
}

bool RooflineChart::any_analytic() const {
  return std::ranges::any_of(steps, [](const Step& s) { return s.point.analytic; });
}

bool RooflineChart::any_counted() const {
  return std::ranges::any_of(steps, [](const Step& s) { return !s.point.analytic; });
}

bool RooflineChart::any_active() const {
  return std::ranges::any_of(steps, [](const Step& s) { return s.point.active_per_s.has_value(); });
}

bool RooflineChart::any_theoretical() const {
  return std::ranges::any_of(roofs, [](const Roof& roof) { return roof.theoretical.has_value(); });
}

std::optional<RooflineChart> make_chart(const Ceilings& ceilings, const std::vector<Step>& steps,
                                        const std::string& precision) {
  const Model* model = model_of(ceilings, precision);
  if (model == nullptr) return std::nullopt;
  RooflineChart chart;
  chart.device = ceilings.device;
  chart.kind = ceilings.kind;
  chart.launch = ceilings.launch;
  chart.model = *model;
  const std::vector<Roof> compute = compute_roofs(ceilings, *model);
  if (model->moves) chart.model.peak = model->name;
  if (compute.empty() || compute.front().name != chart.model.peak) return std::nullopt;
  take_steps(chart, steps, compute.front().measured);
  chart.roofs = bandwidth_roofs(ceilings, *model, chart.levels);
  if (chart.steps.empty() || chart.roofs.empty()) return std::nullopt;
  chart.roofs.insert(chart.roofs.end(), compute.begin(), compute.end());
  chart.mixes = mix_roofs(chart.steps);
  chart.walls = wall_lines(chart);
  choose_axes(chart);
  return chart;
}

std::optional<Segment> visible_part(const RooflineChart& chart, const Roof& roof,
                                    bool theoretical) {
  if (theoretical && !roof.theoretical) return std::nullopt;
  const double value = theoretical ? *roof.theoretical : roof.measured;
  if (!drawable(value)) return std::nullopt;
  if (roof.kind == CeilingKind::bandwidth) {
    const Roof* peak = find_roof(chart, chart.model.peak);
    const double limit = theoretical ? peak->theoretical.value_or(peak->measured) : chart.peak();
    return visible_bandwidth(chart, value, limit);
  }
  const double left = std::max(chart.intensity.low, value / steepest(chart, theoretical));
  if (!(left < chart.intensity.high) || value < chart.flop_per_s.low ||
      value > chart.flop_per_s.high)
    return std::nullopt;
  return Segment{left, value, chart.intensity.high, value};
}

std::string level_label(const RooflineChart& chart, const std::string& level) {
  if (const Roof* roof = find_roof(chart, level)) return roof->label;
  std::string text = level;
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

}  // namespace roofline
