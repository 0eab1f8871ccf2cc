// A chart as plain data: items, positions, and meanings. Pure functions make charts from records
// and finish() them (view/axes.h). The SVG renderer draws a chart unchanged, the terminal uses
// characters, and the script of a page hides parts by their tags. No renderer computes content.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "roofline/base/table.h"

namespace roofline {

struct Tick {
  double at = 0;
  std::string text;  ///< with prefix and unit: "2 TFLOP/s"; or a category's name
};

/// An axis from `low` to `high`, both in `unit`.
struct ChartAxis {
  std::string title;
  std::string unit = {};  ///< unit of the values in ticks and hover texts
  bool logarithmic = true;
  double low = 1, high = 10;
  std::vector<Tick> ticks = {};
  bool categories = false;  ///< the ticks are names, not values
};

struct ChartPoint {
  double x = 0, y = 0;
};

/// The shapes of markers, defined once for all renderers (view/axes.h).
enum class Shape { circle, square, triangle, diamond, pentagon, triangle_down, bar };

/// The lines of a hover text: names with values.
using HoverFacts = std::vector<std::pair<std::string, std::string>>;

/// What all items of a chart have. `colour` is a name in the palette (view/axes.h).
struct ChartItem {
  std::string item = {};  ///< kind of item in the table beside the chart: "point", "roof"
  std::string of = {};    ///< its level, roof or series: "dram"
  std::string name = {};  ///< its step, or a name for people: "v9", "FP64, FMA"
  std::string colour = {};
  Tags tags = {};
  std::string headline = {};  ///< title of its hover text
  HoverFacts facts = {};
  std::string label = {};  ///< text that finish() places; empty: none
};

/// A value, drawn as a marker; its label stands beside it.
struct ChartMark : ChartItem {
  ChartPoint at = {};
  std::string source = {};  ///< "counted", "analytic", "measured"
  Shape shape = Shape::circle;
  bool hollow = false;  ///< marks computed, not counted values
};

/// Where a line's label stands: along its last part, or beside its middle.
enum class LabelPlace { along, beside };

/// A line through points: a roof, a wall, a link, a rung.
struct ChartLine : ChartItem {
  std::vector<ChartPoint> points = {};
  double width = 1.5;
  std::string dash = {};  ///< "", "dash", "dot", "dashdot"
  LabelPlace label_place = LabelPlace::along;
};

/// A filled box in axis values: a bar, or a part of one.
struct ChartBox : ChartItem {
  double left = 0, bottom = 0, right = 0, top = 0;
};

/// A text of the chart: its centre is `dx` and `dy` (upwards) pixels from `at`, which is in axis
/// values, rotated by `angle` degrees along a line.
struct ChartLabel {
  std::string text;
  ChartPoint at;
  double dx = 0, dy = 0;
  std::string colour = {};
  Tags tags = {};
  double angle = 0;
  bool led = false;  ///< a leader line connects the label to `at`
};

/// An entry of the chart's key: a marker or a line.
struct ChartKey {
  std::string text;
  std::string colour = {};
  std::optional<Shape> shape = {};  ///< shape of a marker; empty: a line
  bool hollow = false;
  std::string dash = {};
  Tags tags = {};
};

/// The size of a picture and of the plot in it, in pixels.
struct ChartFrame {
  double width = 1200, height = 800;  ///< size of the whole picture
  double left = 118, bottom = 84;     ///< borders for axes, title, key and labels
  double right = 50, top = 108;
};

struct Chart {
  std::string name;              ///< file name from file_stem(): "roofline-host"
  std::string title;             ///< title for people
  std::string subtitle;          ///< program and device
  std::string description = {};  ///< one sentence for blind readers
  ChartFrame frame = {};
  ChartAxis x = {}, y = {};
  std::vector<std::string> steps = {};  ///< names of the marks, in order
  std::vector<ChartBox> boxes = {};     ///< boxes, drawn first
  std::vector<ChartLine> lines = {};
  std::vector<ChartMark> marks = {};
  std::vector<ChartLabel> labels = {};
  std::vector<ChartKey> key = {};
  std::vector<std::string> notes = {};  ///< what is not drawn, with reasons
};

}  // namespace roofline
