// The roofline of energy: operations per joule over operations per byte.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "harness/view/energy.h"
#include "roofline/base/units.h"
#include "roofline/energy_model.h"
#include "roofline/metrics.h"
#include "roofline/view/axes.h"
#include "roofline/view/chart_files.h"
#include "roofline/view/labels.h"
#include "roofline/view/style.h"
#include "roofline/view/svg.h"

namespace gpp {
namespace {

using roofline::Chart;
using roofline::ChartPoint;
using roofline::EnergyRoof;
using roofline::with_prefix;

constexpr std::array energy_levels = {"l1", "l2", "dram"};

/// One variant at one level.
struct EnergyPlace {
  const Result* result;
  std::string level;
  ChartPoint at;
};

/// FP64 operations of both kinds of pipe.
double operations_of(const Result& result) {
  const roofline::Metrics& metrics = result.counted.metrics;
  return roofline::metric_value(metrics, "fp64_flop").value_or(0) +
         roofline::metric_value(metrics, "fp64_tensor_flop").value_or(0);
}

std::vector<EnergyPlace> energy_places(const StudyRecord& study) {
  std::vector<EnergyPlace> places;
  for (const Result& result : study.results) {
    if (result.kind != "gpu" || !joules_per_billion(study, result)) continue;
    const double operations = operations_of(result);
    for (const std::string level : energy_levels) {
      const double bytes =
          roofline::metric_value(result.counted.metrics, level + "_bytes").value_or(0);
      if (operations > 0 && bytes > 0)
        places.push_back(
            {&result, level, {operations / bytes, operations / result.energy->joules_per_run()}});
    }
  }
  return places;
}

std::string per_joule(double value) { return with_prefix(value, "FLOP/J"); }

roofline::ChartMark energy_mark(const EnergyPlace& place, const EnergyRoof& roof) {
  roofline::ChartMark mark;
  const roofline::LevelStyle style = roofline::level_style(place.level);
  const double most = roof.at(place.at.x);
  mark.at = place.at;
  mark.item = "point";
  mark.of = place.level;
  mark.source = "measured";
  mark.shape = style.shape;
  mark.colour = style.colour;
  mark.name = place.result->variant;
  mark.headline = fmt::format("{} {}", place.result->model, place.result->variant);
  mark.facts = {
      {"operations per joule", per_joule(place.at.y)},
      {"at the most, at that intensity", per_joule(most)},
      {"of that", fmt::format("{:.3g}%", 100 * place.at.y / most)},
      {level_label("gpu", place.level) + " intensity", fmt::format("{:.3g} FLOP/B", place.at.x)}};
  mark.tags = {{"level", place.level}, {"variant", place.result->variant}};
  return mark;
}

roofline::ChartLine energy_roof_line(const EnergyRoof& roof, const std::string& level,
                                     const roofline::Range& range) {
  constexpr int parts = 80;
  roofline::ChartLine line;
  for (int i = 0; i <= parts; ++i) {
    const double x = range.low * std::pow(range.high / range.low, i / double{parts});
    line.points.push_back({x, roof.at(x)});
  }
  line.item = "roof";
  line.of = level;
  line.name = level_label("gpu", level);
  line.colour = roofline::level_style(level).colour;
  line.width = 2;
  line.headline = line.name;
  line.facts = {{"an operation", with_prefix(roof.joules_per_flop, "J")},
                {"a byte", with_prefix(roof.joules_per_byte, "J")},
                {"constant power", with_prefix(roof.constant_watts, "W")},
                {"energy balance", fmt::format("{:.3g} FLOP/B", roof.balance())}};
  line.tags = {{"level", level}};
  return line;
}

void choose_axes(Chart& chart, const roofline::Range& intensities) {
  double low = INFINITY, high = 0;
  for (const roofline::ChartMark& mark : chart.marks) {
    low = std::min(low, mark.at.y);
    high = std::max(high, mark.at.y);
  }
  for (const roofline::ChartLine& line : chart.lines)
    for (const ChartPoint& point : line.points) high = std::max(high, point.y);
  const roofline::Box plot = roofline::plot_of(chart.frame);
  chart.x = roofline::log_axis("FP64 operations per byte", "FLOP/B", intensities, plot.width());
  chart.y = roofline::log_axis("", "FLOP/J", roofline::round_range(low / 2, high * 1.5),
                               plot.height(), true);
}

/// Names stand at the outermost level alone.
void add_names(Chart& chart, const std::vector<EnergyPlace>& places) {
  roofline::NamesOfMarks names;
  names.colour = roofline::level_style(energy_levels.back()).colour;
  for (const EnergyPlace& place : places) {
    if (place.level != energy_levels.back()) continue;
    names.names.push_back(place.result->variant);
    names.places.emplace_back(place.at);
    chart.steps.push_back(place.result->variant);
  }
  roofline::place_names(chart, {}, {names});
}

}  // namespace

std::optional<Chart> make_energy_roofline(const NamedStudy& named, const std::string& name) {
  const auto ceilings = std::ranges::find(named.study.ceilings, "gpu", &roofline::Ceilings::kind);
  const std::vector<EnergyPlace> places = energy_places(named.study);
  if (places.empty() || ceilings == named.study.ceilings.end()) return std::nullopt;
  const auto [least, most] =
      std::ranges::minmax(places, {}, [](const EnergyPlace& place) { return place.at.x; });
  const roofline::Range range = roofline::round_range(least.at.x / 2, most.at.x * 2);
  Chart chart;
  chart.name = roofline::file_stem(name);
  chart.title = "The roofline of energy: " + ceilings->device;
  chart.subtitle =
      fmt::format("{}; {}", input_name(named.study.input), named.study.created.substr(0, 10));
  chart.description = "FP64 operations per joule of each variant, over its operations per byte";
  for (const std::string level : energy_levels) {
    const auto roof = roofline::energy_roof(ceilings->power, level);
    if (!roof) return std::nullopt;
    const roofline::LevelStyle style = roofline::level_style(level);
    chart.key.push_back({level_label("gpu", level), style.colour, style.shape, false, "", level});
    chart.lines.push_back(energy_roof_line(*roof, level, range));
    for (const EnergyPlace& place : places)
      if (place.level == level) chart.marks.push_back(energy_mark(place, *roof));
  }
  chart.notes = {
      "Roofs: the price of an operation and of its bytes, and constant power for as long as the "
      "slower of both takes. Other instructions have a price, too: they leave variants below. "
      "Tensor cores do an operation for less than the FP64 pipe, whose price the roofs have."};
  chart.frame = {1200, 760, 132, 84, 40, 108};
  chart.frame = roofline::with_room_for_key(chart);
  choose_axes(chart, range);
  add_names(chart, places);
  return chart;
}

}  // namespace gpp
