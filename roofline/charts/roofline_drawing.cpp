#include "roofline/charts/roofline_drawing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "roofline/base/text.h"
#include "roofline/charts/labels.h"

namespace roofline {
namespace {

constexpr double font_size = 15, small_font_size = 13;
constexpr double line_height = 19;
constexpr double marker_radius = 6.5;
/// Things that a label may cover rather than stand far away: roofs and arrows, but hardly markers.
constexpr double cost_of_a_roof = 4, cost_of_an_arrow = 3, cost_of_a_marker = 30;

constexpr const char* titles =
    "item,name,text,source,flop_per_byte,flop_per_s,to_flop_per_byte,to_flop_per_s\n";

/// A label along the right border, for a roof that ends there.
struct BorderLabel {
  double y;
  std::string text;
  std::string colour;
};

double level_intensity(const Step& step, const std::string& level) {
  for (const LevelPoint& point : step.point.levels)
    if (point.level == level) return point.intensity;
  return 0;
}

class RooflineDrawer {
 public:
  RooflineDrawer(const RooflineChart& chart, Page page)
      : chart_(chart),
        page_(page),
        axes_{page.plot, chart.intensity, chart.flop_per_s},
        placer_(page.plot) {}

  void draw() {
    place_markers();
    if (chart_.in_order)
      for (const std::string& level : chart_.levels) draw_arrows(level);
    for (const WallLine& wall : chart_.walls) draw_wall(wall);
    for (const Roof& roof : chart_.roofs) draw_roof(roof);
    for (const MixRoof& mix : chart_.mixes) draw_mix(mix);
    for (const Roof& roof : chart_.roofs)
      if (roof.kind == CeilingKind::bandwidth) name_bandwidth(roof);
    for (const std::string& level : chart_.levels) name_steps(level);
  }

  const std::string& rows() const { return rows_; }
  std::vector<std::string> clauses() const;
  std::string border_labels() const;
  /// Of bandwidths on this paper, degrees.
  double slope() const {
    return std::atan2(axes_.y(10) - axes_.y(1), axes_.x(10) - axes_.x(1)) * 180 / std::numbers::pi;
  }

 private:
  void row(const std::string& item, const std::string& name, const std::string& text,
           const std::string& source, const Segment& at) {
    const auto number = [](double value) { return value > 0 ? in_full(value) : std::string(); };
    rows_ += csv_line(
        {item, name, text, source, number(at.x0), number(at.y0), number(at.x1), number(at.y1)});
  }
  /// A row whose place is known in pixels.
  void row_at(const std::string& item, const std::string& name, const std::string& text, double x0,
              double y0, double x1, double y1) {
    row(item, name, text, "",
        {axes_.value_at_x(x0), axes_.value_at_y(y0), axes_.value_at_x(x1), axes_.value_at_y(y1)});
  }

  void place_markers();
  void draw_dash(const LevelPoint& level, const Step& step);
  void draw_wall(const WallLine& wall);
  void draw_arrows(const std::string& level);
  void draw_roof(const Roof& roof);
  void name_bandwidth(const Roof& roof);
  void draw_mix(const MixRoof& mix);
  void name_steps(const std::string& level);
  std::vector<Mark> marks(const std::string& level) const;

  const RooflineChart& chart_;
  Page page_;
  LogAxes axes_;
  LabelPlacer placer_;
  std::string rows_ = titles;
  std::vector<BorderLabel> border_;
};

/// "33.1 of 33.5 TFLOP/s": measured of theoretical, or measured alone.
std::string roof_value(const Roof& roof) {
  const std::string measured = with_prefix(roof.measured, roof.unit);
  if (!roof.theoretical) return measured;
  const std::string theoretical = with_prefix(*roof.theoretical, roof.unit);
  const std::string measured_unit = measured.substr(measured.find(' '));
  const bool alike = theoretical.ends_with(measured_unit);
  return (alike ? measured.substr(0, measured.find(' ')) : measured) + " of " + theoretical;
}

/// As gnuplot reads it from a table.
std::string without_commas(std::string text) {
  std::erase(text, ',');
  return text;
}

std::string roof_text(const Roof& roof) {
  return without_commas(roof.label) + " " + roof_value(roof);
}

std::string roof_colour(const Roof& roof) {
  if (roof.kind == CeilingKind::compute) return roof.thin ? colour::grey : colour::black;
  return roof.thin ? colour::grey : level_style(roof.name).colour;
}

void RooflineDrawer::place_markers() {
  for (const Step& step : chart_.steps)
    for (const LevelPoint& level : step.point.levels) {
      const double x = axes_.x(level.intensity);
      const double y = axes_.y(height_of(step.point));
      row("point", level.level, step.label, step.point.analytic ? "analytic" : "counted",
          {level.intensity, height_of(step.point), 0, 0});
      if (step.point.active_per_s) draw_dash(level, step);
      placer_.avoid({x - marker_radius, y - marker_radius, x + marker_radius, y + marker_radius},
                    cost_of_a_marker);
    }
}

/// Above the marker, as high as it would be were no lane switched off.
void RooflineDrawer::draw_dash(const LevelPoint& level, const Step& step) {
  const double x = axes_.x(level.intensity), y = axes_.y(step.point.flop_per_s);
  row_at("dash", level.level, step.label, x - marker_radius, y, x + marker_radius, y);
  placer_.avoid({x - marker_radius, y - 2, x + marker_radius, y + 2}, cost_of_a_marker);
}

/// From the axis to its roof, named along the line.
void RooflineDrawer::draw_wall(const WallLine& wall) {
  if (wall.top <= chart_.flop_per_s.low) return;
  row("wall", "wall", wall.label, "",
      {wall.intensity, chart_.flop_per_s.low, wall.intensity, wall.top});
  const double x = axes_.x(wall.intensity);
  const double bottom = axes_.plot.bottom, top = axes_.y(wall.top);
  placer_.avoid_line(x, bottom, x, top, cost_of_a_roof);
  const std::string text = without_commas(wall.label);
  const double half = text_width(text, small_font_size) / 2;
  const double y = std::min(bottom + half + 8, top), beside = x - line_height / 2;
  placer_.avoid({beside - 8, y - half, beside + 8, y + half}, cost_of_a_marker);
  row_at("wall name", "wall", text, beside, y, beside, y);
}

/// From edge to edge of the markers; none where they touch.
void RooflineDrawer::draw_arrows(const std::string& level) {
  for (std::size_t i = 1; i < chart_.steps.size(); ++i) {
    const double from = level_intensity(chart_.steps[i - 1], level);
    const double to = level_intensity(chart_.steps[i], level);
    if (from <= 0 || to <= 0) continue;
    const double x0 = axes_.x(from), y0 = axes_.y(height_of(chart_.steps[i - 1].point));
    const double x1 = axes_.x(to), y1 = axes_.y(height_of(chart_.steps[i].point));
    const double length = std::hypot(x1 - x0, y1 - y0);
    if (length < 2 * marker_radius + 8) continue;
    const double cut = (marker_radius + 1.5) / length;
    const double dx = (x1 - x0) * cut, dy = (y1 - y0) * cut;
    row_at("arrow", level, chart_.steps[i].label, x0 + dx, y0 + dy, x1 - dx, y1 - dy);
    placer_.avoid_line(x0, y0, x1, y1, cost_of_an_arrow);
  }
}

void RooflineDrawer::draw_roof(const Roof& roof) {
  if (const auto line = visible_part(chart_, roof, true))
    row("theoretical", roof.name, roof.label, "", *line);
  const auto line = visible_part(chart_, roof);
  if (!line) return;
  row(roof.thin ? "thin roof" : "roof", roof.name, roof.label, "", *line);
  placer_.avoid_line(axes_.x(line->x0), axes_.y(line->y0), axes_.x(line->x1), axes_.y(line->y1),
                     cost_of_a_roof);
  if (roof.kind == CeilingKind::compute)
    border_.push_back({axes_.y(line->y1), roof_text(roof), roof_colour(roof)});
}

/// Along the line, where it covers least.
void RooflineDrawer::name_bandwidth(const Roof& roof) {
  const auto seen = visible_part(chart_, roof);
  if (!seen) return;
  const Segment& line = *seen;
  const std::string text = roof_text(roof);
  const double x0 = axes_.x(line.x0), y0 = axes_.y(line.y0);
  const double x1 = axes_.x(line.x1), y1 = axes_.y(line.y1);
  const double length = std::hypot(x1 - x0, y1 - y0);
  const double ux = (x1 - x0) / length, uy = (y1 - y0) / length;
  const double above = -15;  // below it: theoretical roofs lie above measured ones
  const double width = text_width(text, font_size);
  const auto letters = [&](double middle) {
    std::vector<Box> boxes;
    const double half = 8;
    for (double along = middle - width / 2; along <= middle + width / 2; along += half) {
      const double x = x0 + ux * along - uy * above, y = y0 + uy * along + ux * above;
      boxes.push_back({x - half, y - half, x + half, y + half});
    }
    return boxes;
  };
  double best = length / 2, lowest = INFINITY;
  for (int i = 0; i <= 20; ++i) {
    const double middle = width / 2 + 6 + (length - width - 12) * i / 20;
    double price = 0.05 * i;  // rather below, where points are rare
    for (const Box& box : letters(middle)) price += placer_.cost(box);
    if (price >= lowest) continue;
    lowest = price;
    best = middle;
  }
  for (const Box& box : letters(best)) placer_.avoid(box, cost_of_a_marker);
  const double x = x0 + ux * best - uy * above, y = y0 + uy * best + ux * above;
  row_at(roof.thin ? "thin roof name" : "roof name", roof.name, text, x, y, x, y);
}

/// From the last of its points to the border.
void RooflineDrawer::draw_mix(const MixRoof& mix) {
  double from = chart_.intensity.low;
  for (const std::size_t i : mix.steps)
    for (const LevelPoint& level : chart_.steps[i].point.levels)
      from = std::max(from, level.intensity);
  row("mix", "mix", label_range(chart_.steps, mix.steps), "",
      {from, mix.value, chart_.intensity.high, mix.value});
  placer_.avoid_line(axes_.x(from), axes_.y(mix.value), axes_.plot.right, axes_.y(mix.value),
                     cost_of_a_roof);
  border_.push_back({axes_.y(mix.value),
                     fmt::format("FMA mix {}: {}", label_range(chart_.steps, mix.steps),
                                 with_prefix(mix.value, chart_.model.rate_unit())),
                     colour::grey});
}

std::vector<Mark> RooflineDrawer::marks(const std::string& level) const {
  std::vector<Mark> list;
  for (std::size_t i = 0; i < chart_.steps.size(); ++i)
    if (const double intensity = level_intensity(chart_.steps[i], level); intensity > 0)
      list.push_back({i, axes_.x(intensity), axes_.y(height_of(chart_.steps[i].point))});
  return list;
}

void RooflineDrawer::name_steps(const std::string& level) {
  for (const Cluster& cluster : clusters(marks(level), marker_radius + 1)) {
    const std::string text = label_range(chart_.steps, cluster.steps);
    const Box label = placer_.place(cluster.box, text_width(text, font_size), line_height - 2);
    const double x = (label.left + label.right) / 2, y = (label.bottom + label.top) / 2;
    row_at("name", level, text, x, y, x, y);
    // A line leads to a label that stands far off.
    const double near_x = std::clamp(x, cluster.box.left, cluster.box.right);
    const double near_y = std::clamp(y, cluster.box.bottom, cluster.box.top);
    const double end_x = std::clamp(near_x, label.left, label.right);
    const double end_y = std::clamp(near_y, label.bottom, label.top);
    if (std::hypot(end_x - near_x, end_y - near_y) > 14)
      row_at("leader", level, text, near_x, near_y, end_x, end_y);
  }
}

/// One clause of the plot command, for the rows of an item and a name.
std::string clause(const std::string& item, const std::string& name, const std::string& more,
                   const std::string& style) {
  return fmt::format("table using (x({0}, {1})):(column('flop_per_s')){2} {3} notitle",
                     quoted(item), quoted(name), more, style);
}

std::string line_clause(const std::string& item, const std::string& name, const std::string& head,
                        const std::string& style) {
  return clause(
      item, name,
      ":(length('flop_per_byte', 'to_flop_per_byte')):(length('flop_per_s', 'to_flop_per_s'))",
      fmt::format("with vectors {} {}", head, style));
}

std::string name_clause(const std::string& item, const std::string& name, const char* colour,
                        const std::string& style) {
  return clause(item, name, ":(strcol('text'))",
                fmt::format("with labels noenhanced {} textcolor rgb '{}'", style, colour));
}

std::vector<std::string> RooflineDrawer::clauses() const {
  const auto has = [this](const std::string& item, const std::string& name) {
    return rows_.find("\n" + item + "," + name + ",") != std::string::npos;
  };
  std::vector<std::string> list;
  const auto add = [&](const std::string& item, const std::string& name, const std::string& made) {
    if (has(item, name)) list.push_back(made);
  };
  const std::string turned = fmt::format("rotate by {:.2f}", slope());
  for (const Roof& roof : chart_.roofs) {
    const std::string lines = fmt::format("linecolor rgb '{}'", roof_colour(roof));
    add("theoretical", roof.name,
        line_clause("theoretical", roof.name, "nohead",
                    fmt::format("{} linewidth {} dashtype (7,5)", lines, roof.thin ? 0.8 : 1.5)));
    const std::string item = roof.thin ? "thin roof" : "roof";
    add(item, roof.name,
        line_clause(item, roof.name, "nohead",
                    fmt::format("{} linewidth {}", lines, roof.thin ? 1.0 : 2.8)));
  }
  add("mix", "mix",
      line_clause("mix", "mix", "nohead",
                  fmt::format("linecolor rgb '{}' linewidth 1.4 dashtype (2,3)", colour::grey)));
  add("wall", "wall",
      line_clause("wall", "wall", "nohead",
                  fmt::format("linecolor rgb '{}' linewidth 1.6 dashtype (9,4)", colour::grey)));
  add("wall name", "wall",
      name_clause("wall name", "wall", colour::grey,
                  fmt::format("font ',{}' rotate by 90", small_font_size)));
  for (const std::string& level : chart_.levels) {
    const LevelStyle style = level_style(level);
    add("dash", level,
        line_clause("dash", level, "nohead",
                    fmt::format("linecolor rgb '{}' linewidth 2.2", style.colour)));
    add("arrow", level,
        line_clause("arrow", level, "head filled size screen 0.007,22",
                    fmt::format("linecolor rgb '#90{}' linewidth 1.3", style.colour + 1)));
    add("leader", level,
        line_clause("leader", level, "nohead",
                    fmt::format("linecolor rgb '{}' linewidth 0.7", colour::grey)));
  }
  for (const std::string& level : chart_.levels) {
    const LevelStyle style = level_style(level);
    const auto points = [&](const char* source, int type, double size, const char* colour) {
      list.push_back(fmt::format(
          "table using (of('{}', {})):(column('flop_per_s')) with points pointtype {} pointsize "
          "{} linewidth 1.8 linecolor rgb '{}' notitle",
          source, quoted(level), type, size, colour));
    };
    if (chart_.any_counted()) points("counted", style.filled, 1.75, "#FFFFFF");
    if (chart_.any_counted()) points("counted", style.filled, 1.35, style.colour);
    if (chart_.any_analytic()) points("analytic", style.filled, 1.5, "#FFFFFF");
    if (chart_.any_analytic()) points("analytic", style.hollow, 1.4, style.colour);
  }
  for (const Roof& roof : chart_.roofs) {
    const std::string item = roof.thin ? "thin roof name" : "roof name";
    const std::string& colour = roof_colour(roof);
    add(item, roof.name, name_clause(item, roof.name, colour.c_str(), turned));
  }
  for (const std::string& level : chart_.levels)
    add("name", level, name_clause("name", level, level_style(level).colour, ""));
  return list;
}

std::string RooflineDrawer::border_labels() const {
  std::vector<BorderLabel> labels = border_;
  std::sort(labels.begin(), labels.end(),
            [](const BorderLabel& a, const BorderLabel& b) { return a.y < b.y; });
  std::vector<double> wanted;
  for (const BorderLabel& label : labels) wanted.push_back(label.y);
  const std::vector<double> places =
      spread(wanted, line_height, axes_.plot.bottom, axes_.plot.top - line_height / 2);
  std::string text;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    text += fmt::format(
        "set arrow from screen {:.5f},{:.5f} to screen {:.5f},{:.5f} nohead linecolor rgb '{}' "
        "linewidth 0.7\n",
        axes_.plot.right / page_.width, labels[i].y / page_.height,
        (axes_.plot.right + 14) / page_.width, places[i] / page_.height, colour::grey);
    text +=
        label_at(page_, axes_.plot.right + 18, places[i], labels[i].text,
                 fmt::format("font ',{}' textcolor rgb '{}'", small_font_size, labels[i].colour));
  }
  return text;
}

/// Which marker is which level, and what the lines and fillings mean: only what occurs.
std::vector<KeyEntry> key_entries(const RooflineChart& chart) {
  std::vector<KeyEntry> entries;
  for (const std::string& level : chart.levels) {
    const LevelStyle style = level_style(level);
    entries.push_back({level_label(chart, level), style.colour,
                       chart.any_counted() ? style.filled : style.hollow});
  }
  if (chart.any_counted()) entries.push_back({"counted by hardware", colour::grey, 7});
  if (chart.any_analytic()) entries.push_back({"analytic, not counted", colour::grey, 6});
  if (chart.any_active())
    entries.push_back({"dash: with lanes that were switched off", colour::grey});
  if (!chart.walls.empty())
    entries.push_back({"wall: a pattern of access", colour::grey, 0, "dashtype (9,4)"});
  entries.push_back({"roof, measured", colour::grey});
  if (std::any_of(chart.roofs.begin(), chart.roofs.end(),
                  [](const Roof& roof) { return roof.theoretical.has_value(); }))
    entries.push_back({"theoretical", colour::grey, 0, "dashtype (7,5)"});
  return entries;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += (text.empty() ? "" : "; ") + line;
  return text;
}

std::string title_of(const RooflineChart& chart) {
  return chart.model.counts_transactions()
             ? fmt::format("Instruction roofline, {}: {}", in_lower_case(chart.model.title),
                           chart.device)
             : fmt::format("Hierarchical roofline: {}", chart.device);
}

}  // namespace

Drawing draw_roofline(const RooflineChart& chart, const std::string& name,
                      const std::string& subtitle) {
  const Page page = with_room_for_key({1200, 800, {118, 84, 896, 692}}, key_entries(chart));
  RooflineDrawer drawer(chart, page);
  drawer.draw();

  Drawing drawing{file_stem(name), title_of(chart), "", drawer.rows()};
  drawing.script = script_head(drawing, page, subtitle,
                               "One line of the table is one thing drawn: `item` says what, `name` "
                               "of which level or roof.");
  drawing.script += fmt::format(
      "set logscale xy\nset xrange [{}:{}]\nset yrange [{}:{}]\n"
      "set xlabel {}\n",
      chart.intensity.low, chart.intensity.high, chart.flop_per_s.low, chart.flop_per_s.high,
      quoted((chart.model.counts_transactions() ? "instruction intensity: "
                                                : "arithmetic intensity: ") +
             chart.model.across));
  drawing.script += log_tics('x', chart.intensity, intensity_unit(chart.model), page.plot.width());
  drawing.script += log_tics('y', chart.flop_per_s, chart.model.rate_unit(), page.plot.height());
  drawing.script += key_rows(page, key_entries(chart));
  drawing.script += drawer.border_labels();
  if (!chart.notes.empty())
    drawing.script += label_at(page, page.plot.left, 16, joined(chart.notes), "font ',12'");
  drawing.script +=
      "\nis(item, name) = strcol('item') eq item && strcol('name') eq name\n"
      "x(item, name) = is(item, name) ? column('flop_per_byte') : NaN\n"
      "of(source, level) = is('point', level) && strcol('source') eq source ? "
      "column('flop_per_byte') : NaN\n"
      "length(from, to) = column(to) - column(from)\n";

  drawing.script += script_tail(drawing, page, drawer.clauses());
  return drawing;
}

}  // namespace roofline
