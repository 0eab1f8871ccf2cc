// A chart as plain data: what is drawn, where, and what it means. Pure functions make charts from
// records. The SVG renderer draws one as it is, the terminal in characters; the page draws it with
// Plotly, switches parts of it off by their tags, and zooms. None of them computes anything of the
// matter: roofs, walls, run-time lines, clusters of labels, order of steps and texts come from
// here.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "roofline/view/table.h"

namespace roofline {

struct Tick {
  double at = 0;
  std::string text;  ///< with prefix and unit: "2 TFLOP/s"; of a category its name
};

/// An axis from `low` to `high`, both in `unit`.
struct ChartAxis {
  std::string title;
  std::string unit = {};  ///< of the values; ticks and hover texts are in it
  bool logarithmic = true;
  double low = 1, high = 10;
  std::vector<Tick> ticks =
      {};                   ///< of the whole range; categories are drawn with these in any zoom
  bool categories = false;  ///< the ticks are names, not values
};

struct ChartPoint {
  double x = 0, y = 0;
};

/// The shapes of markers: one definition for all renderers (view/style.h).
enum class Shape { circle, square, triangle, diamond, pentagon, triangle_down, cross, bar };

/// The lines of a hover text: what, and its value.
using HoverFacts = std::vector<std::pair<std::string, std::string>>;

/// A value: a marker with its hover text. `colour` is a name of the palette (view/style.h).
struct ChartMark {
  ChartPoint at;
  std::string item = {};    ///< what it is, for the table beside the chart: "point", "needed"
  std::string of = {};      ///< of which level or series: "dram"
  std::string source = {};  ///< "counted", "analytic", "measured"
  Shape shape = Shape::circle;
  bool hollow = false;  ///< computed, not counted
  bool small = false;   ///< a part of another mark
  std::string colour = {};
  std::string name = {};      ///< of the step: "v9"
  std::string headline = {};  ///< of its hover text
  HoverFacts facts = {};
  std::optional<double> low = {}, high = {};  ///< ends of its error bar on y
  Tags tags = {};
};

/// A line through points: a roof, a wall, an arrow, a link, a step of a bar's outline.
struct ChartLine {
  std::vector<ChartPoint> points;
  std::string item = {};  ///< what it is, for the table beside the chart: "roof", "arrow", "wall"
  std::string of = {};    ///< of which level, roof or series: "dram"
  std::string name = {};  ///< for people: "FP64, FMA", "v9"
  std::string colour = {};
  double width = 1.5;
  std::string dash = {};  ///< "", "dash", "dot"
  bool arrow = false;
  bool between_marks = false;  ///< drawn from rim to rim of the marks at its ends
  std::string headline = {};
  HoverFacts facts = {};
  Tags tags = {};
};

/// A line that tells nothing where it is pointed at.
inline ChartLine plain_line(std::vector<ChartPoint> points, const char* item, const std::string& of,
                            const std::string& name, const std::string& colour, double width,
                            const char* dash = "", const Tags& tags = {}) {
  return {std::move(points), item, of, name, colour, width, dash, false, false, "", {}, tags};
}

/// A filled box in axis values: a bar, the box of launches.
struct ChartBox {
  double left = 0, bottom = 0, right = 0, top = 0;
  std::string item = {}, of = {}, name = {};  ///< as those of a line
  std::string colour = {};
  std::string headline = {};
  HoverFacts facts = {};
  Tags tags = {};
};

/// A text of the chart, placed in C++ for a frame of a certain size: `at` in axis values, `dx` and
/// `dy` (upwards) pixels from there to its middle, turned by `angle` degrees along a line.
struct ChartLabel {
  std::string text;
  ChartPoint at;
  double dx = 0, dy = 0;
  double angle = 0;
  bool led = false;      ///< a thin line leads from the label to `at`
  bool outside = false;  ///< right of the plot, at the end of a line
  bool small = false;
  std::string colour = {};
  Tags tags = {};
};

/// The meaning of a marker or a line.
struct ChartKey {
  std::string text;
  std::string colour = {};
  std::optional<Shape> shape = {};  ///< of a marker; empty: a line
  bool hollow = false;
  std::string dash = {};
  std::string of = {};  ///< the level or series that it is for; empty: all
};

/// A picture's size and the plot in it, pixels.
struct ChartFrame {
  double width = 1200, height = 800;  ///< of the whole picture
  double left = 118, bottom = 84;     ///< borders: axes, title, key and labels stand there
  double right = 304, top = 108;
};

/// A phone's: the page writes title and key elsewhere.
inline constexpr ChartFrame narrow_frame = {390, 600, 76, 46, 10, 10};

struct Chart {
  std::string name;         ///< of its files, as file_stem gives it: "roofline-host"
  std::string title;        ///< for people
  std::string subtitle;     ///< what ran, where
  std::string description;  ///< one sentence for those who cannot see it
  ChartAxis x, y;
  std::vector<std::string> steps = {};  ///< names of the marks, in their order
  std::vector<ChartBox> boxes;          ///< drawn first
  std::vector<ChartLine> lines;
  std::vector<ChartMark> marks;
  std::vector<ChartLabel> labels;         ///< for the SVG's frame
  std::vector<ChartLabel> narrow_labels;  ///< for narrow_frame, without those that find no room
  std::vector<ChartKey> key;
  std::vector<std::string> notes;  ///< what is not drawn, and why
  ChartFrame frame;
};

}  // namespace roofline
