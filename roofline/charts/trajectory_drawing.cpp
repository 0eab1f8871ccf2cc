#include "roofline/charts/trajectory_drawing.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "roofline/charts/labels.h"
#include "roofline/charts/page.h"

namespace roofline {
namespace {

constexpr double font_size = 15, small_font_size = 13, line_height = 19, marker_radius = 6;
constexpr double cost_of_a_line = 4, cost_of_a_marker = 30;
/// From a marker to its label: farther off, a line leads there. Labels have white boxes, behind
/// which roofs run.
constexpr double nearby = 8;

constexpr const char* roof_grey = "#B0B0B0";
constexpr std::array<const char*, 6> colours = {colour::blue,   colour::vermilion, colour::green,
                                                colour::purple, colour::orange,    colour::sky};
constexpr std::array<const char*, 4> dashes = {"dashtype 1", "dashtype (9,5)", "dashtype (3,4)",
                                               "dashtype (12,4,3,4)"};

const char* colour_of(const TrajectoryCurve& curve) {
  return colours[curve.colour % colours.size()];
}
const char* dash_of(const TrajectoryCurve& curve) { return dashes[curve.dash % dashes.size()]; }

/// As gnuplot reads it from a table.
std::string without_commas(std::string text) {
  std::erase(text, ',');
  return text;
}

/// The smallest and largest of a value of all marks.
std::pair<double, double> ends(const TrajectoryChart& chart, double TrajectoryMark::*value) {
  double low = INFINITY, high = 0;
  for (const TrajectoryCurve& curve : chart.curves)
    for (const TrajectoryMark& mark : curve.marks) {
      low = std::min(low, mark.*value);
      high = std::max(high, mark.*value);
    }
  return {low, high};
}

Range intensities(const TrajectoryChart& chart) {
  auto [low, high] = ends(chart, &TrajectoryMark::intensity);
  for (const TrajectoryRoof& roof : chart.roofs) {
    low = std::min(low, roof.peak / roof.bandwidth / 2);
    high = std::max(high, roof.peak / roof.bandwidth);
  }
  return decades(low / 1.5, high * 1.5);
}

Range rates(const TrajectoryChart& chart) {
  auto [low, high] = ends(chart, &TrajectoryMark::rate);
  for (const TrajectoryRoof& roof : chart.roofs) {
    low = std::min(low, roof.peak);
    high = std::max(high, roof.peak);
  }
  return round_range(low / 2.5, high * 1.3);
}

class TrajectoryDrawer {
 public:
  TrajectoryDrawer(const TrajectoryChart& chart, const Page& page)
      : chart_(chart),
        page_(page),
        axes_{page.plot, intensities(chart), rates(chart)},
        placer_(page.plot) {
    for (const TrajectoryCurve& curve : chart.curves)
      for (const TrajectoryMark& mark : curve.marks) avoid(mark);
    for (const TrajectoryRoof& roof : chart.roofs) draw_roof(roof);
    for (std::size_t i = 0; i < chart.curves.size(); ++i) draw_curve(i);
    for (std::size_t i = 0; i < chart.curves.size(); ++i) name_curve(i);
  }

  const std::string& rows() const { return rows_; }
  const LogAxes& axes() const { return axes_; }

  std::vector<std::string> clauses() const {
    std::vector<std::string> list;
    for (std::size_t i = 0; i < chart_.roofs.size(); ++i)
      list.push_back(lines("roof", std::to_string(chart_.roofs[i].units),
                           i + 1 == chart_.roofs.size()
                               ? fmt::format("linecolor rgb '{}' linewidth 2.4", colour::black)
                               : fmt::format("linecolor rgb '{}' linewidth 1.2", roof_grey)));
    for (std::size_t i = 0; i < chart_.curves.size(); ++i)
      if (has("leader", curve_name(i)))
        list.push_back(
            lines("leader", curve_name(i),
                  fmt::format("linecolor rgb '{}' linewidth 0.8", colour_of(chart_.curves[i]))));
    for (std::size_t i = 0; i < chart_.curves.size(); ++i)
      list.push_back(lines("line", curve_name(i),
                           fmt::format("linecolor rgb '{}' linewidth 2 {}",
                                       colour_of(chart_.curves[i]), dash_of(chart_.curves[i]))));
    for (std::size_t i = 0; i < chart_.curves.size(); ++i)
      for (const auto& [source, type] : {std::pair("counted", 7), std::pair("not counted", 6)}) {
        if (!has("point", curve_name(i) + ',' + source)) continue;
        const auto points = [&](int point_type, double size, const char* colour) {
          list.push_back(fmt::format(
              "table using (of({}, {})):(column('rate')) with points pointtype {} pointsize {} "
              "linewidth 1.8 linecolor rgb '{}' notitle",
              quoted(source), quoted(curve_name(i)), point_type, size, colour));
        };
        points(7, 1.5, "#FFFFFF");
        points(type, 1.2, colour_of(chart_.curves[i]));
      }
    for (std::size_t i = 0; i < chart_.curves.size(); ++i)
      list.push_back(
          fmt::format("table using (x('name', {})):(column('rate')):(strcol('text')) with labels "
                      "boxed noenhanced font ',{}' textcolor rgb '{}' notitle",
                      quoted(curve_name(i)), small_font_size, colour_of(chart_.curves[i])));
    return list;
  }

  /// The roofs' values, beside the right border.
  std::string border_labels() const {
    std::vector<double> wanted;
    for (const TrajectoryRoof& roof : chart_.roofs) wanted.push_back(axes_.y(roof.peak));
    std::sort(wanted.begin(), wanted.end());
    std::vector<TrajectoryRoof> roofs = chart_.roofs;
    std::sort(roofs.begin(), roofs.end(),
              [](const TrajectoryRoof& a, const TrajectoryRoof& b) { return a.peak < b.peak; });
    const std::vector<double> places =
        spread(wanted, line_height, axes_.plot.bottom, axes_.plot.top - line_height / 2);
    const char* const per_second = chart_.model.counts_transactions() ? "txn/s" : "B/s";
    std::string text;
    for (std::size_t i = 0; i < roofs.size(); ++i)
      text += label_at(page_, axes_.plot.right + 12, places[i],
                       fmt::format("{}: {}, {}", roofs[i].units,
                                   with_prefix(roofs[i].peak, chart_.model.rate_unit()),
                                   with_prefix(roofs[i].bandwidth, per_second)),
                       fmt::format("font ',{}' textcolor rgb '{}'", small_font_size, colour::grey));
    return text;
  }

 private:
  static std::string curve_name(std::size_t curve) { return fmt::format("curve {}", curve + 1); }

  /// Whether there is such a row, `name` being the columns after the item.
  bool has(const std::string& item, const std::string& name) const {
    return rows_.find(fmt::format("\n{},{},", item, name)) != std::string::npos;
  }

  static std::string lines(const std::string& item, const std::string& name,
                           const std::string& style) {
    return fmt::format(
        "table using (x({0}, {1})):(column('rate')):(length('intensity', 'to_intensity')):"
        "(length('rate', 'to_rate')) with vectors nohead {2} notitle",
        quoted(item), quoted(name), style);
  }

  void row(const std::string& item, const std::string& name, const std::string& source,
           const std::string& text, double x0, double y0, double x1 = 0, double y1 = 0) {
    const auto number = [](double value) { return value > 0 ? in_full(value) : std::string(); };
    rows_ += csv_line({item, name, source, text, number(x0), number(y0), number(x1), number(y1)});
  }

  void avoid(const TrajectoryMark& mark) {
    const double x = axes_.x(mark.intensity), y = axes_.y(mark.rate);
    placer_.avoid({x - marker_radius, y - marker_radius, x + marker_radius, y + marker_radius},
                  cost_of_a_marker);
  }

  void draw_roof(const TrajectoryRoof& roof) {
    const std::string name = std::to_string(roof.units);
    const double ridge = roof.peak / roof.bandwidth;
    const double left = std::max(axes_.across.low, axes_.up.low / roof.bandwidth);
    if (left < ridge) row("roof", name, "", "", left, left * roof.bandwidth, ridge, roof.peak);
    if (ridge < axes_.across.high)
      row("roof", name, "", "", std::max(ridge, axes_.across.low), roof.peak, axes_.across.high,
          roof.peak);
  }

  void draw_curve(std::size_t index) {
    const TrajectoryCurve& curve = chart_.curves[index];
    for (std::size_t i = 1; i < curve.marks.size(); ++i) {
      const TrajectoryMark &from = curve.marks[i - 1], &to = curve.marks[i];
      row("line", curve_name(index), "", "", from.intensity, from.rate, to.intensity, to.rate);
      placer_.avoid_line(axes_.x(from.intensity), axes_.y(from.rate), axes_.x(to.intensity),
                         axes_.y(to.rate), cost_of_a_line);
    }
    for (const TrajectoryMark& mark : curve.marks)
      row("point", curve_name(index), mark.counted ? "counted" : "not counted",
          std::to_string(mark.units), mark.intensity, mark.rate);
  }

  void name_mark(std::size_t index, const TrajectoryMark& mark, const std::string& text) {
    const double x = axes_.x(mark.intensity), y = axes_.y(mark.rate);
    const Box label =
        placer_.place({x - marker_radius, y - marker_radius, x + marker_radius, y + marker_radius},
                      text_width(text, small_font_size), line_height - 3, true);
    row("name", curve_name(index), "", without_commas(text),
        axes_.value_at_x((label.left + label.right) / 2),
        axes_.value_at_y((label.bottom + label.top) / 2));
    const double end_x = std::clamp(x, label.left, label.right);
    const double end_y = std::clamp(y, label.bottom, label.top);
    if (std::hypot(end_x - x, end_y - y) <= marker_radius + nearby) return;
    row("leader", curve_name(index), "", "", mark.intensity, mark.rate, axes_.value_at_x(end_x),
        axes_.value_at_y(end_y));
    placer_.avoid_line(x, y, end_x, end_y, cost_of_a_line);
  }

  void name_curve(std::size_t index) {
    const TrajectoryCurve& curve = chart_.curves[index];
    const TrajectoryMark& last = curve.marks.back();
    name_mark(index, last, fmt::format("{}: {}", curve.label, last.units));
    if (curve.marks.size() > 1)
      name_mark(index, curve.marks.front(), std::to_string(curve.marks.front().units));
  }

  const TrajectoryChart& chart_;
  Page page_;
  LogAxes axes_;
  LabelPlacer placer_;
  std::string rows_ = "item,name,source,text,intensity,rate,to_intensity,to_rate\n";
};

std::vector<KeyEntry> key_entries(const TrajectoryChart& chart) {
  std::vector<KeyEntry> entries;
  bool counted = false, hollow = false;
  for (const TrajectoryCurve& curve : chart.curves) {
    entries.push_back({curve.label, colour_of(curve), 0, dash_of(curve)});
    for (const TrajectoryMark& mark : curve.marks) (mark.counted ? counted : hollow) = true;
  }
  if (counted) entries.push_back({"counted by hardware", colour::grey, 7});
  if (hollow) entries.push_back({"intensity not counted there", colour::grey, 6});
  entries.push_back({"roofs, measured on each number", roof_grey});
  return entries;
}

}  // namespace

Drawing draw_trajectory(const TrajectoryChart& chart, const std::string& name,
                        const std::string& subtitle) {
  const Page page = with_room_for_key({1200, 800, {118, 84, 946, 692}}, key_entries(chart));
  const TrajectoryDrawer drawer(chart, page);
  const LogAxes& axes = drawer.axes();
  Drawing drawing{
      file_stem(name),
      fmt::format("Trajectories at {} over {}: {}", chart.level, chart.units, chart.device), "",
      drawer.rows()};
  drawing.script = script_head(drawing, page, subtitle,
                               "One line of the table is one thing drawn: `item` says what, `name` "
                               "of which curve, or on how many units.");
  drawing.script += fmt::format(
      "set logscale xy\nset xrange [{}:{}]\nset yrange [{}:{}]\nset xlabel {}\n", axes.across.low,
      axes.across.high, axes.up.low, axes.up.high,
      quoted(fmt::format("intensity at {}: {}", chart.level, intensity_unit(chart.model))));
  drawing.script += log_tics('x', axes.across, intensity_unit(chart.model), page.plot.width());
  drawing.script += log_tics('y', axes.up, chart.model.rate_unit(), page.plot.height());
  drawing.script += key_rows(page, key_entries(chart));
  drawing.script += drawer.border_labels();
  if (!chart.notes.empty())
    drawing.script += label_at(page, page.plot.left, 16,
                               fmt::format("{}", fmt::join(chart.notes, "; ")), "font ',12'");
  drawing.script +=
      "\nis(item, name) = strcol('item') eq item && strcol('name') eq name\n"
      "x(item, name) = is(item, name) ? column('intensity') : NaN\n"
      "of(source, name) = is('point', name) && strcol('source') eq source ? column('intensity') : "
      "NaN\n"
      "length(from, to) = column(to) - column(from)\n";
  drawing.script += script_tail(drawing, page, drawer.clauses());
  return drawing;
}

}  // namespace roofline
