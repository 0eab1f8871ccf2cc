#include "roofline/charts/plane_drawing.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "roofline/charts/labels.h"

namespace roofline {
namespace {

constexpr double font_size = 15, small_font_size = 13;
constexpr double marker_radius = 6.5;
constexpr double cost_of_a_marker = 30, cost_of_a_line = 4;
/// Boxes farther below the smallest marker than this are told of, not drawn: they would leave the
/// markers no room.
constexpr double farthest_box = 1000;
/// Of more than these the smallest and the largest are drawn.
constexpr std::size_t most_boxes = 3;

const LevelPoint* find_level(const RooflinePoint& point, const std::string& level) {
  for (const LevelPoint& one : point.levels)
    if (one.level == level) return &one;
  return nullptr;
}

/// The longer of the two times is stretched to the time taken, and the other one with it.
PlanePlace place_taken(const PlanePlace& least, double seconds) {
  const double longest = std::max(least.compute, least.bandwidth);
  return {least.compute / longest * seconds, least.bandwidth / longest * seconds};
}

std::string boxes_text(const std::vector<LaunchBox>& boxes) {
  std::vector<std::string> texts;
  for (const LaunchBox& box : boxes)
    texts.push_back(
        fmt::format("{} of {}", with_prefix(box.seconds, "s"),
                    box.launches == 1 ? "a launch" : fmt::format("{} launches", box.launches)));
  return fmt::format("{}", fmt::join(texts, ", "));
}

/// The box of each number of launches; those whose number is not known count as one.
void add_boxes(const RooflineChart& chart, TimePlane& plane) {
  if (!chart.launch) {
    plane.notes.push_back(chart.kind == "host"
                              ? "No box of launches: nothing is launched on a processor"
                              : "No box of launches: what one costs was not measured when this was "
                                "recorded");
    return;
  }
  std::set<std::size_t> numbers;
  std::vector<std::size_t> unknown;
  for (const PlaneStep& one : plane.steps) {
    const std::optional<std::size_t>& launches = chart.steps[one.step].launches;
    numbers.insert(launches.value_or(1));
    if (!launches) unknown.push_back(one.step);
  }
  for (const std::size_t number : numbers)
    plane.boxes.push_back({number, static_cast<double>(number) * chart.launch->seconds});
  if (plane.boxes.size() > most_boxes) plane.boxes = {plane.boxes.front(), plane.boxes.back()};
  if (!unknown.empty())
    plane.notes.push_back(fmt::format("How often {} launch{} is not known: taken as once",
                                      label_range(chart.steps, unknown),
                                      unknown.size() == 1 ? "es" : ""));
}

void choose_range(TimePlane& plane) {
  double least = INFINITY, most = 0;
  for (const PlaneStep& one : plane.steps)
    for (const PlanePlace& place : {one.complexity, one.taken}) {
      least = std::min({least, place.compute, place.bandwidth});
      most = std::max({most, place.compute, place.bandwidth});
    }
  const auto is_far = [least](const LaunchBox& box) { return box.seconds < least / farthest_box; };
  std::vector<LaunchBox> far;
  std::copy_if(plane.boxes.begin(), plane.boxes.end(), std::back_inserter(far), is_far);
  std::erase_if(plane.boxes, is_far);
  if (!far.empty())
    plane.notes.push_back("Launching takes far less than is drawn: " + boxes_text(far));
  if (!plane.boxes.empty()) least = std::min(least, plane.boxes.front().seconds / 1.5);
  plane.seconds = round_range(least / 1.4, most * 1.4);
}

constexpr const char* titles =
    "item,name,text,source,compute_s,bandwidth_s,to_compute_s,to_bandwidth_s\n";

class PlaneDrawer {
 public:
  PlaneDrawer(const RooflineChart& chart, const TimePlane& plane, const Page& page)
      : chart_(chart),
        plane_(plane),
        page_(page),
        axes_{page.plot, plane.seconds, plane.seconds},
        placer_(page.plot) {}

  void draw() {
    for (const PlaneStep& one : plane_.steps) draw_step(one);
    draw_run_times();
    draw_balance();
    name_boxes();
    name_steps();
  }

  const std::string& rows() const { return rows_; }
  /// Rectangles lie below everything.
  std::string boxes() const;
  std::vector<std::string> clauses() const;

 private:
  void row(const std::string& item, const std::string& name, const std::string& text,
           const std::string& source, const PlanePlace& from, const PlanePlace& to = {}) {
    const auto number = [](double value) { return value > 0 ? in_full(value) : std::string(); };
    rows_ += csv_line({item, name, text, source, number(from.compute), number(from.bandwidth),
                       number(to.compute), number(to.bandwidth)});
  }
  /// Of pixels.
  PlanePlace at(double x, double y) const { return {axes_.value_at_x(x), axes_.value_at_y(y)}; }

  void draw_step(const PlaneStep& one);
  void draw_run_times();
  void draw_balance();
  void name_boxes();
  void name_steps();

  const RooflineChart& chart_;
  const TimePlane& plane_;
  Page page_;
  LogAxes axes_;
  LabelPlacer placer_;
  std::string rows_ = titles;
};

void PlaneDrawer::draw_step(const PlaneStep& one) {
  const Step& step = chart_.steps[one.step];
  const std::string source = step.point.analytic ? "analytic" : "counted";
  row("complexity", plane_.level, step.label, source, one.complexity);
  row("taken", plane_.level, step.label, "measured", one.taken);
  const double x0 = axes_.x(one.complexity.compute), y0 = axes_.y(one.complexity.bandwidth);
  const double x1 = axes_.x(one.taken.compute), y1 = axes_.y(one.taken.bandwidth);
  const double length = std::hypot(x1 - x0, y1 - y0);
  if (length > 2 * marker_radius) {
    const double dx = (x1 - x0) * marker_radius / length, dy = (y1 - y0) * marker_radius / length;
    row("link", plane_.level, step.label, source, at(x0 + dx, y0 + dy), at(x1 - dx, y1 - dy));
    placer_.avoid_line(x0, y0, x1, y1, cost_of_a_line);
  }
  for (const auto& [x, y] : {std::pair{x0, y0}, std::pair{x1, y1}})
    placer_.avoid({x - marker_radius, y - marker_radius, x + marker_radius, y + marker_radius},
                  cost_of_a_marker);
}

/// Corners on the balance: where both times overlap, the longer is the run time.
void PlaneDrawer::draw_run_times() {
  const auto [low, high] = plane_.seconds;
  const bool few = high / low < 300;
  for (double power = std::floor(std::log10(low)); power <= std::log10(high); ++power)
    for (const double digit : {1.0, 2.0, 5.0}) {
      const double seconds = digit * std::pow(10.0, power);
      if (seconds <= low || seconds >= high || (digit != 1 && !few)) continue;
      const std::string text = with_prefix(seconds, "s");
      row("run time", "run time", text, "", {low, seconds}, {seconds, seconds});
      row("run time", "run time", text, "", {seconds, low}, {seconds, seconds});
    }
}

void PlaneDrawer::draw_balance() {
  const auto [low, high] = plane_.seconds;
  row("balance", "balance", "", "", {low, low}, {high, high});
  const Box& plot = page_.plot;
  placer_.avoid_line(plot.left, plot.bottom, plot.right, plot.top, cost_of_a_line);
}

/// To the right of the widest box, below each other, with lines to their corners.
void PlaneDrawer::name_boxes() {
  constexpr double height = 18;
  std::vector<double> wanted;
  for (const LaunchBox& box : plane_.boxes) wanted.push_back(axes_.y(box.seconds) - 0.6 * height);
  const std::vector<double> places =
      spread(wanted, height, page_.plot.bottom + height / 2, page_.plot.top - height / 2);
  for (std::size_t i = 0; i < places.size(); ++i) {
    const LaunchBox& box = plane_.boxes[i];
    const std::string text = boxes_text({box});
    const double left = axes_.x(plane_.boxes.back().seconds) + 10;
    const double width = text_width(text, small_font_size);
    row("box name", "box", text, "", at(left + 4, places[i]));
    row("box line", "box", text, "", {box.seconds, box.seconds}, at(left, places[i]));
    placer_.avoid({left, places[i] - height / 2, left + width, places[i] + height / 2},
                  cost_of_a_marker);
  }
}

/// At the markers of the time taken.
void PlaneDrawer::name_steps() {
  std::vector<Mark> marks;
  for (const PlaneStep& one : plane_.steps)
    marks.push_back({one.step, axes_.x(one.taken.compute), axes_.y(one.taken.bandwidth)});
  for (const Cluster& cluster : clusters(marks, marker_radius + 1)) {
    const std::string text = label_range(chart_.steps, cluster.steps);
    const Box label = placer_.place(cluster.box, text_width(text, font_size), 17);
    const double x = (label.left + label.right) / 2, y = (label.bottom + label.top) / 2;
    row("name", plane_.level, text, "", at(x, y));
    const double near_x = std::clamp(x, cluster.box.left, cluster.box.right);
    const double near_y = std::clamp(y, cluster.box.bottom, cluster.box.top);
    const double end_x = std::clamp(near_x, label.left, label.right);
    const double end_y = std::clamp(near_y, label.bottom, label.top);
    if (std::hypot(end_x - near_x, end_y - near_y) > 14)
      row("leader", plane_.level, text, "", at(near_x, near_y), at(end_x, end_y));
  }
}

std::string PlaneDrawer::boxes() const {
  std::string text;
  for (const LaunchBox& box : plane_.boxes)
    text += fmt::format(
        "set object rectangle from first {0},{0} to first {1},{1} behind fillcolor rgb '{2}' "
        "fillstyle transparent solid 0.5 border linecolor rgb '{3}'\n",
        plane_.seconds.low, box.seconds, colour::light_grey, colour::grey);
  return text;
}

std::vector<std::string> PlaneDrawer::clauses() const {
  const auto has = [this](const std::string& item) {
    return rows_.find("\n" + item + ",") != std::string::npos;
  };
  const auto clause = [](const std::string& item, const std::string& more,
                         const std::string& style) {
    return fmt::format("table using (of({})):(column('bandwidth_s')){} {} notitle", quoted(item),
                       more, style);
  };
  const std::string to =
      ":(length('compute_s', 'to_compute_s')):(length('bandwidth_s', 'to_bandwidth_s'))";
  std::vector<std::string> list;
  const auto line = [&](const char* item, const std::string& style) {
    if (has(item)) list.push_back(clause(item, to, "with vectors nohead " + style));
  };
  const auto points = [&](const char* item, int type, double size, const char* colour) {
    list.push_back(clause(item, "",
                          fmt::format("with points pointtype {} pointsize {} linewidth 1.8 "
                                      "linecolor rgb '{}'",
                                      type, size, colour)));
  };
  const LevelStyle style = level_style(plane_.level);
  line("run time", fmt::format("linecolor rgb '{}' linewidth 1.2", colour::light_grey));
  line("balance", fmt::format("linecolor rgb '{}' linewidth 1.4 dashtype (7,5)", colour::grey));
  line("link", fmt::format("linecolor rgb '#90{}' linewidth 1.2", style.colour + 1));
  line("leader", fmt::format("linecolor rgb '{}' linewidth 0.7", colour::grey));
  points("complexity", style.filled, 1.75, "#FFFFFF");
  points("complexity", style.filled, 1.35, style.colour);
  points("taken", style.filled, 1.5, "#FFFFFF");
  points("taken", style.hollow, 1.4, style.colour);
  line("box line", fmt::format("linecolor rgb '{}' linewidth 0.7", colour::grey));
  if (has("box name"))
    list.push_back(clause("box name", ":(strcol('text'))",
                          fmt::format("with labels noenhanced left font ',{}' textcolor rgb '{}'",
                                      small_font_size, colour::grey)));
  list.push_back(clause("name", ":(strcol('text'))",
                        fmt::format("with labels noenhanced font ',{}' textcolor rgb '{}'",
                                    font_size, style.colour)));
  return list;
}

std::vector<KeyEntry> key_entries(const RooflineChart& chart, const TimePlane& plane) {
  const LevelStyle style = level_style(plane.level);
  std::vector<KeyEntry> entries = {
      {"operations and bytes, at the roofs", style.colour, style.filled},
      {"time taken", style.colour, style.hollow},
      {"equal run time", colour::light_grey},
      {"both times equal", colour::grey, 0, "dashtype (7,5)"}};
  if (!plane.boxes.empty()) entries.push_back({"taken by launches alone", colour::light_grey, 5});
  if (chart.any_analytic())
    entries.push_back({chart.any_counted()
                           ? "some operations and bytes are not counted but computed"
                           : "operations and bytes are not counted but computed",
                       colour::grey, 7});
  return entries;
}

/// "FP64 operations at 33.1 TFLOP/s"
std::string compute_title(const RooflineChart& chart) {
  return fmt::format("compute time: {} operations at {}", chart.model.title,
                     with_prefix(chart.peak(), chart.model.rate_unit()));
}

std::string bandwidth_title(const RooflineChart& chart, const std::string& level) {
  std::string text = fmt::format("bandwidth time: bytes of {}", level_label(chart, level));
  for (const Roof& roof : chart.roofs)
    if (roof.name == level) text += " at " + with_prefix(roof.measured, roof.unit);
  return text;
}

}  // namespace

std::string plane_level(const RooflineChart& chart) {
  const auto& levels = chart.levels;
  const bool has_dram = std::find(levels.begin(), levels.end(), "dram") != levels.end();
  return has_dram || levels.empty() ? "dram" : levels.back();
}

std::optional<TimePlane> time_plane(const RooflineChart& chart, const std::string& level) {
  TimePlane plane;
  plane.level = level;
  for (std::size_t i = 0; i < chart.steps.size(); ++i) {
    const RooflinePoint& point = chart.steps[i].point;
    const LevelPoint* at = find_level(point, level);
    if (at == nullptr || !(at->seconds > 0) || !(point.compute_seconds > 0)) continue;
    const PlanePlace least{point.compute_seconds, at->seconds};
    plane.steps.push_back({i, least, place_taken(least, point.seconds)});
  }
  if (plane.steps.empty()) return std::nullopt;
  add_boxes(chart, plane);
  choose_range(plane);
  return plane;
}

std::optional<Drawing> draw_plane(const RooflineChart& chart, const std::string& name,
                                  const std::string& subtitle) {
  const std::optional<TimePlane> plane = time_plane(chart, plane_level(chart));
  if (!plane) return std::nullopt;
  const std::vector<KeyEntry> key = key_entries(chart, *plane);
  const Page page = with_room_for_key({1200, 860, {132, 108, 1150, 752}}, key);
  PlaneDrawer drawer(chart, *plane, page);
  drawer.draw();

  Drawing drawing{file_stem(name), fmt::format("Time plane: {}", chart.device), "", drawer.rows()};
  drawing.script =
      script_head(drawing, page, subtitle,
                  "`complexity`: seconds of operations and bytes at the roofs; `taken`: "
                  "the run time on the same intensity.");
  drawing.script += fmt::format(
      "unset grid\nset logscale xy\nset xrange [{0}:{1}]\nset yrange [{0}:{1}]\nset xlabel {2}\n"
      "set ylabel {3}\n",
      plane->seconds.low, plane->seconds.high, quoted(compute_title(chart)),
      quoted(bandwidth_title(chart, plane->level)));
  drawing.script += log_tics('x', plane->seconds, "s", page.plot.width());
  drawing.script += log_tics('y', plane->seconds, "s", page.plot.height());
  drawing.script += drawer.boxes();
  drawing.script += key_rows(page, key);
  drawing.script +=
      label_at(page, page.plot.left, 20, fmt::format("{}", fmt::join(plane->notes, "; ")),
               fmt::format("font ',{}' textcolor rgb '{}'", small_font_size, colour::grey));
  drawing.script +=
      "\nof(item) = strcol('item') eq item ? column('compute_s') : NaN\n"
      "length(from, to) = column(to) - column(from)\n";
  drawing.script += script_tail(drawing, page, drawer.clauses());
  return drawing;
}

}  // namespace roofline
