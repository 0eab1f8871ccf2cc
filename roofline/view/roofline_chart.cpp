#include "roofline/view/roofline_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "roofline/base/table.h"
#include "roofline/base/text.h"
#include "roofline/models/model_table.h"
#include "roofline/points.h"
#include "roofline/view/axes.h"

namespace roofline {
namespace {

bool holds(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

/// A ceiling in transactions of `each` bytes, or in its own unit.
Roof roof_of(const Ceiling& ceiling, const std::string& unit, bool thin, double each = 1) {
  Roof roof{ceiling, unit, thin};
  roof.measured /= each;
  if (roof.theoretical) *roof.theoretical /= each;
  return roof;
}

/// The bandwidths of levels with points, and thin lines for other levels unless they coincide.
std::vector<Roof> bandwidth_roofs(const Ceilings& ceilings, const Model& model,
                                  const std::vector<std::string>& levels) {
  std::vector<Roof> roofs;
  for (const std::string& name : levels) {
    const Level* level = model.find_level(name);
    const Ceiling* ceiling = ceilings.find(level == nullptr ? name : level->roof);
    if (ceiling == nullptr || ceiling->kind != CeilingKind::bandwidth) continue;
    const double each = level == nullptr ? 1 : level->bytes_each;
    roofs.push_back(roof_of(*ceiling, each == 1 ? "B/s" : "txn/s", false, each));
    roofs.back().name = name;
    if (each != 1) roofs.back().label = level->label;
  }
  for (const Ceiling& ceiling : ceilings.list) {
    const bool covered = std::ranges::any_of(roofs, [&ceiling](const Roof& roof) {
      return std::abs(roof.measured / ceiling.measured - 1) < 0.1;
    });
    if (ceiling.kind == CeilingKind::bandwidth && !model.counts_transactions() && !covered)
      roofs.push_back(roof_of(ceiling, "B/s", true));
  }
  std::erase_if(roofs, [](const Roof& roof) { return !drawable(roof.measured); });
  std::ranges::sort(roofs, std::greater(), &Roof::measured);
  return roofs;
}

/// The peak first, then lower compute roofs. For a model without operations the peak is a level's
/// bandwidth, drawn horizontally with the model's name. Empty without a peak.
std::vector<Roof> compute_roofs(const Ceilings& ceilings, const Model& model) {
  std::vector<Roof> roofs;
  const Ceiling* peak = ceilings.find(model.peak);
  if (peak == nullptr || !drawable(peak->measured)) return roofs;
  roofs.push_back(roof_of(*peak, model.rate_unit(), false));
  roofs.back().kind = CeilingKind::compute;
  if (model.moves) roofs.back().name = model.name;
  for (const std::string& name : model.thin) {
    const Ceiling* ceiling = ceilings.find(name);
    if (ceiling != nullptr && drawable(ceiling->measured))
      roofs.push_back(roof_of(*ceiling, model.rate_unit(), true));
  }
  return roofs;
}

/// The reason why a point cannot be drawn: "it lies above the roof of l1"; else "".
std::string trouble(const RooflinePoint& point, const Model& model) {
  if (point.precision != model.name)
    return fmt::format("its operations are {}, not {}", point.precision, model.name);
  const bool has_place = drawable(point.active_per_s.value_or(point.flop_per_s)) &&
                         !point.levels.empty() &&
                         std::ranges::all_of(point.levels, drawable, &LevelPoint::intensity);
  if (!has_place) return "it has no place on the chart";
  if (point.percent_of_roof > 100 * (1 + tolerance))
    return "it lies above the roof of " + point.bound_by;
  return "";
}

/// Keeps the steps that can be drawn, and notes the others.
void take_steps(RooflineChart& chart, const std::vector<Step>& steps) {
  for (const Step& step : steps) {
    const std::string why = trouble(step.point, chart.model);
    if (!why.empty()) {
      chart.notes.push_back(fmt::format("{} is not drawn: {}", step.label, why));
      continue;
    }
    chart.steps.push_back(step);
    for (const LevelPoint& level : step.point.levels)
      if (!holds(chart.levels, level.level)) chart.levels.push_back(level.level);
  }
  std::ranges::sort(chart.levels, is_nearer);
}

/// Chooses axes that contain every point, wall, and bandwidth's ridge, with room for labels.
void choose_axes(RooflineChart& chart) {
  Range across = empty_range, up = across;
  for (const Step& step : chart.steps) {
    up.hold(step.point.active_per_s.value_or(step.point.flop_per_s));
    for (const LevelPoint& level : step.point.levels) across.hold(level.intensity);
  }
  for (const Roof& roof : chart.roofs) {
    if (roof.kind == CeilingKind::compute) {
      up.hold(roof.measured);
      continue;
    }
    across.hold(chart.peak() / roof.measured);
    across.hold(chart.peak() / roof.measured / 2);
    for (const Wall& wall : chart.model.walls)
      if (wall.level == roof.name) {
        across.hold(wall.intensity);
        up.hold(std::min(chart.peak(), wall.intensity * roof.measured));
      }
  }
  chart.intensity = decades(across.low / 1.5, across.high * 1.5);
  const double highest = std::max(chart.peak(), chart.top().theoretical.value_or(0));
  chart.flop_per_s = round_range(up.low / 2.5, highest * 1.3);
}

}  // namespace

std::string intensity_unit(const Model& model) {
  return model.counts_transactions() ? "inst/txn" : model.unit + "/B";
}

const Roof& RooflineChart::top() const {
  return *std::ranges::find(roofs, CeilingKind::compute, &Roof::kind);
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
  chart.model = *model;
  const std::vector<Roof> compute = compute_roofs(ceilings, *model);
  if (compute.empty()) return std::nullopt;
  take_steps(chart, steps);
  chart.roofs = bandwidth_roofs(ceilings, *model, chart.levels);
  if (chart.steps.empty() || chart.roofs.empty()) return std::nullopt;
  chart.roofs.insert(chart.roofs.end(), compute.begin(), compute.end());
  choose_axes(chart);
  return chart;
}

std::string level_label(const RooflineChart& chart, const std::string& level) {
  const auto roof = std::ranges::find(chart.roofs, level, &Roof::name);
  return roof == chart.roofs.end() ? level_label(chart.kind, level) : roof->label;
}

Table roofs_table(const Ceilings& ceilings, bool with_definitions) {
  const auto mhz = [](double value) { return fmt::format("{:.4g} MHz", value); };
  std::vector<ColumnOf<Ceiling>> columns = {
      {{"roof", "roof"},
       [](const Ceiling& roof) {
         return TableCell{roof.label, NAN, roof.definition};
       }},
      {{"measured", "measured", "", "", Align::right},
       [](const Ceiling& roof) { return cell::rate(roof.measured, rate_unit(roof)); }},
      {{"theoretical", "theoretical", "", "", Align::right},
       [](const Ceiling& roof) { return cell::rate(roof.theoretical, rate_unit(roof)); }},
      {{"ratio", "ratio", "", "%", Align::right},
       [](const Ceiling& roof) {
         if (!roof.theoretical) return TableCell{unknown_text};
         return cell::percent(100 * roof.measured / *roof.theoretical);
       }},
      {{"clock", "clock", "", "MHz", Align::right}, [mhz](const Ceiling& roof) {
         if (!(roof.clock_mhz > 0)) return TableCell{unknown_text};
         return cell::number(roof.clock_mhz, mhz);
       }}};
  if (with_definitions)
    columns.push_back({{"definition", "what it is"},
                       [](const Ceiling& roof) { return TableCell{roof.definition}; }});
  return table_of(columns, ceilings.list, {"roofs", "Roofs of " + ceilings.device, {}, {}, {}});
}

namespace {

using Column = ColumnOf<InstructionRow>;

const RooflinePoint* find_point(const InstructionRow& row, std::string_view model) {
  const auto found = std::ranges::find(row.points, model, &RooflinePoint::precision);
  return found == row.points.end() ? nullptr : &*found;
}

/// Returns "unit stride, 8 B", with the distance from the wall if the point is not on it.
Column wall_column(const char* name, const char* title, const char* model) {
  return {{name, title, "the pattern of access that is nearest, and how far off it is"},
          [model](const InstructionRow& row) -> TableCell {
            const RooflinePoint* point = find_point(row, model);
            const auto wall = point == nullptr
                                  ? std::nullopt
                                  : nearest_wall(*point, *nvidia_table().find_model(model));
            if (!wall) return {unknown_text};
            constexpr double on_it = 0.01;
            return {std::abs(wall->ratio - 1) < on_it
                        ? wall->wall.label
                        : fmt::format("{} {}", times_text(wall->ratio), wall->wall.label)};
          }};
}

Column level_column(const std::string& before, const char* label, const char* level) {
  return {{std::string("intensity_") + level, before + label,
           fmt::format("warp instructions per transaction at {}", label), "", Align::right},
          [level](const InstructionRow& row) {
            return cell::short_number(intensity_at(find_point(row, "instructions"), level));
          }};
}

/// The ratio of two metrics; unknown without a divisor.
Column ratio_column(const char* name, const char* note, const char* above, const char* below,
                    bool in_percent) {
  return {{name, name, note, "", Align::right}, [=](const InstructionRow& row) {
            const auto one = metric_value(row.metrics, above),
                       other = metric_value(row.metrics, below);
            std::optional<double> ratio;
            if (one && other && *other > 0) ratio = (in_percent ? 100 : 1) * (*one / *other);
            return in_percent ? cell::percent(ratio) : cell::short_number(ratio);
          }};
}

TableCell warps_cell(const InstructionRow& row) {
  const auto executed = metric_value(row.metrics, "instructions");
  return cell::prefixed(
      executed && row.seconds > 0 ? std::optional(*executed / row.seconds) : std::nullopt, "IPS");
}

}  // namespace

std::optional<NearestWall> nearest_wall(const RooflinePoint& point, const Model& model) {
  std::optional<NearestWall> nearest;
  for (const LevelPoint& level : point.levels)
    for (const Wall& wall : model.walls) {
      if (wall.level != level.level || !(level.intensity > 0)) continue;
      const double ratio = level.intensity / wall.intensity;
      if (!nearest || std::abs(std::log(ratio)) < std::abs(std::log(nearest->ratio)))
        nearest = {wall, ratio};
    }
  return nearest;
}

std::vector<Column> instruction_columns(const std::string& before_levels) {
  return {{{"warps", "warps", "warp instructions per second", "", Align::right}, warps_cell},
          ratio_column("active", "lanes that were not switched off", "active_warp_instructions",
                       "instructions", true),
          level_column(before_levels, "L1", "l1"),
          level_column(before_levels, "L2", "l2"),
          level_column(before_levels, "DRAM", "dram"),
          ratio_column("sectors", "of a load or store of global memory, 32 B each",
                       "global_sectors", "global_instructions", false),
          wall_column("global_wall", "global wall", "global_access"),
          ratio_column("conflicts", "further passes of a load or store of shared memory",
                       "bank_conflicts", "shared_instructions", false),
          wall_column("shared_wall", "shared wall", "shared_access"),
          ratio_column("spills", "of the transactions of L1, those of local memory",
                       "local_sectors", "l1_transactions", true)};
}

namespace {

constexpr int columns = 70, rows = 16, margin = 7;
constexpr std::size_t page_width = 78;

/// A level's marker, by the order of Shape.
char marker(Shape shape) { return "@#^*v+x"[static_cast<std::size_t>(shape)]; }

/// Where two things meet, the first has the cell.
class Canvas {
 public:
  explicit Canvas(const Chart& chart) : chart_(chart), axes_(chart, {0, 0, columns - 1, rows - 1}) {
    draw_marks();
    for (const ChartLine& line : chart.lines)
      if (line.item == "roof") draw(line);
  }

  std::string text() const {
    std::string text, powers(page_width, ' ');
    std::map<int, std::string> values;
    for (const double value : round_values({chart_.y.low, chart_.y.high}))
      values[row_of(value)] = round_with_prefix(value, "");
    for (int row = 0; row < rows; ++row) {
      std::string line = lines_[static_cast<std::size_t>(row)];
      std::ranges::replace(line, empty, ' ');
      text += without_end(fmt::format("{:>{}}|{}", values[row], margin, line));
    }
    for (const double value : round_values({chart_.x.low, chart_.x.high}, 1.0 * page_width / 10)) {
      const std::string power = fmt::format("{:g}", value);
      const auto at = static_cast<std::size_t>(margin + 1 + column_of(value)) - power.size() / 2;
      powers.replace(std::min(at, page_width - power.size()), power.size(), power);
    }
    return text + fmt::format("{:>{}}{:->{}}\n", "+", margin + 1, "", columns) +
           without_end(powers);
  }

 private:
  static std::string without_end(std::string line) {
    return line.erase(line.find_last_not_of(' ') + 1) + '\n';
  }
  int column_of(double x) const { return static_cast<int>(std::lround(axes_.x(x))); }
  int row_of(double y) const { return static_cast<int>(rows - 1 - std::lround(axes_.y(y))); }

  bool write(const std::string& text, int column, int row) {
    if (column < 0 || column + std::ssize(text) > columns || row < 0 || row >= rows) return false;
    std::string& line = lines_[static_cast<std::size_t>(row)];
    const auto at = static_cast<std::size_t>(column);
    if (line.substr(at, text.size()).find_first_not_of(empty) != std::string::npos) return false;
    line.replace(at, text.size(), text);
    return true;
  }

  /// Marks in one place share a marker. Without room it has no name: the tables have it.
  void draw_marks() {
    std::map<std::pair<int, int>, std::vector<const ChartMark*>> spots;
    for (const ChartMark& mark : chart_.marks) {
      if (mark.label.empty()) continue;
      const auto [row, column] = std::pair(row_of(mark.at.y), column_of(mark.at.x));
      auto& spot = spots[{row, column}];
      if (spot.empty() || spot.front()->of == mark.of) spot.push_back(&mark);
      if (spot.size() == 1) write({marker(mark.shape)}, column, row);
    }
    for (const auto& [at, spot] : spots) {
      std::vector<std::string> steps;
      for (const ChartMark* mark : spot) steps.push_back(mark->label);
      const auto [row, column] = at;
      const std::string text =
          (spot.front()->hollow ? "~" : "") + label_range(chart_.steps, steps, "-");
      write(text, column + 1, row) || write(text, column - static_cast<int>(text.size()), row) ||
          write(text, column, row - 1) || write(text, column, row + 1);
    }
  }

  /// A roof; above a flat one its name, as far to the right as it fits.
  void draw(const ChartLine& line) {
    const ChartPoint &from = line.points.front(), &to = line.points.back();
    const bool flat = from.y == to.y;
    for (int at = columns - static_cast<int>(line.label.size()); flat && at > columns / 5; --at)
      if (write(line.label, at, row_of(to.y) - 1)) break;
    for (int column = 0; column < columns; ++column) {
      const double share = (column - axes_.x(from.x)) / (axes_.x(to.x) - axes_.x(from.x));
      const double y = std::lerp(axes_.y(from.y), axes_.y(to.y), share);
      if (share >= 0 && share <= 1)
        write(flat ? "-" : "/", column, static_cast<int>(rows - 1 - std::lround(y)));
    }
  }

  static constexpr char empty = '\0';  // blanks in names are taken
  const Chart& chart_;
  Axes axes_;
  std::vector<std::string> lines_ = {rows, std::string(columns, empty)};
};

/// "@ L1 32.0 TB/s   # L2 7.40 TB/s   ~: analytic".
std::string key(const RooflineChart& chart) {
  std::string text;
  for (const std::string& level : chart.levels) {
    const auto roof = std::ranges::find(chart.roofs, level, &Roof::name);
    text +=
        (text.empty() ? "" : "   ") +
        fmt::format("{} {}{}", marker(level_style(level).shape), level_label(chart, level),
                    roof == chart.roofs.end() ? "" : " " + with_prefix(roof->measured, roof->unit));
  }
  const bool analytic =
      std::ranges::any_of(chart.steps, [](const Step& step) { return step.point.analytic; });
  return analytic ? text + "   ~: " + chart.hollow : text;
}

}  // namespace

std::string terminal_roofline(const RooflineChart& rooflines, const std::string& what) {
  const Chart chart = make_roofline(rooflines, "roofline", what);
  std::string text = fmt::format(
      "{}\n{:>{}}\n{}{:{}}{}\n{:{}}{}\n",
      wrapped("Roofline of " + rooflines.device + ": " + what, page_width, 2), chart.y.unit, margin,
      Canvas(chart).text(), "", margin + 1, chart.x.title, "", margin + 1, key(rooflines));
  for (const std::string& note : chart.notes) text += paragraph(note, 2, page_width);
  return text;
}

}  // namespace roofline
