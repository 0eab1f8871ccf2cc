// Places labels so that they do not cover each other or what they name.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "roofline/view/axes.h"

namespace roofline {

/// The estimated width of a text in pixels; fonts differ between machines.
double text_width(const std::string& text, double font_size);

/// Obstacles, and labels that are placed one after another.
class LabelPlacer {
 public:
  explicit LabelPlacer(Box page) : page_(page) {}

  /// Adds an obstacle with the cost of covering it; a more distant ring costs 2.
  void avoid(const Box& box, double cost);
  void avoid_line(double x0, double y0, double x1, double y1, double cost);

  /// The cheapest place for a label of this size around `target`. With `led`, a line will connect
  /// it to the target, and the obstacles that it crosses count, too.
  Box place(const Box& target, double width, double height, bool led = false) const;
  /// Makes a placed label an obstacle for later ones.
  void take(const Box& label);

  /// The cost of covering everything in this box.
  double cost(const Box& box) const;

 private:
  /// The cost of the obstacles that a leader line crosses.
  double cost_of_leader(const Box& target, const Box& label) const;

  struct Obstacle {
    Box box;
    double cost;
  };
  Box page_;
  std::vector<Obstacle> obstacles_;
};

/// A marker, in pixels.
struct Mark {
  std::size_t index = 0;
  double x = 0, y = 0;
};

/// Marks so close together that one label names them.
struct Cluster {
  std::vector<std::size_t> members;
  Box box;
};

/// Marks within `one_place` of each other form a cluster; each has the size `reach`.
std::vector<Cluster> clusters(const std::vector<Mark>& marks, double reach, double one_place = 11);

/// Moves positions until neighbours are at least `gap` apart and all are in low..high, if there is
/// room. Order is kept, and crowded groups stay centred at their wished position. `wanted` is
/// ascending.
std::vector<double> spread(std::vector<double> wanted, double gap, double low, double high);

/// "v1–v4 v7": the names in the order of `all`; three or more in sequence become a range joined by
/// `dash`.
std::string label_range(const std::vector<std::string>& all,
                        const std::vector<std::size_t>& indices, const std::string& dash = "–");

/// A line's name, placed beside it where it covers least.
struct NameOfLine {
  std::string text;
  ChartPoint from, to;
  std::string colour = {};
  double aside = -15;  ///< distance in pixels to the left of the line's direction
  bool small = false;
  bool outside = false;  ///< true: to the right of the plot at the line's end
  Tags tags = {};
};

/// Names beside marks of one kind; marks in one place share a label.
struct NamesOfMarks {
  std::vector<std::string> names;                 ///< names of marks in order
  std::vector<std::optional<ChartPoint>> places;  ///< position of each name's mark, if any
  std::string colour = {};
  bool apart = false;  ///< true: each gets its own label
  bool small = false;
  Tags tags = {};
};

/// Places these names in the chart's frame, without covering names, marks or, if possible, lines.
void place_names(Chart& chart, const std::vector<NameOfLine>& lines,
                 const std::vector<NamesOfMarks>& marks);

}  // namespace roofline
