// Finding room for labels, so that none covers another or what it names.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "roofline/view/axes.h"

namespace roofline {

/// The width that a text needs, pixels; estimated, because fonts differ from machine to machine.
double text_width(const std::string& text, double font_size);

/// Things in the way, and labels found a place for one after the other.
class LabelPlacer {
 public:
  explicit LabelPlacer(Box page) : page_(page) {}

  /// Covering this costs so much; 2 is what one ring further out costs.
  void avoid(const Box& box, double cost);
  void avoid_line(double x0, double y0, double x1, double y1, double cost);

  /// The cheapest place for a label of this size around `target`. `led`: a line will lead there
  /// from the target, and what it crosses costs, too.
  Box place(const Box& target, double width, double height, bool led = false) const;
  /// From now on others keep clear of it.
  void take(const Box& label);

  /// The cost of covering all of this.
  double cost(const Box& box) const;

 private:
  /// The cost of crossing everything between the two.
  double cost_of_leader(const Box& target, const Box& label) const;

  struct Obstacle {
    Box box;
    double cost;
  };
  Box page_;
  std::vector<Obstacle> obstacles_;
};

/// A marker, pixels.
struct Mark {
  std::size_t index = 0;
  double x = 0, y = 0;
};

/// Marks that lie so close together that one label names them.
struct Cluster {
  std::vector<std::size_t> members;
  Box box;
};

/// Marks within `one_place` of each other share a cluster; each reaches as far as `reach`.
std::vector<Cluster> clusters(const std::vector<Mark>& marks, double reach, double one_place = 11);

/// Moves positions apart until neighbours are `gap` from each other and all lie in low..high, as
/// far as there is room; order is kept, and crowds stay centred where they want to be. `wanted`
/// ascends.
std::vector<double> spread(std::vector<double> wanted, double gap, double low, double high);

/// "v1–v4 v7": names by their places in `all`, in order; three or more in a row become a range
/// joined by `dash`.
std::string label_range(const std::vector<std::string>& all,
                        const std::vector<std::size_t>& indices, const std::string& dash = "–");

/// A name along a line, beside it where it covers least.
struct NameOfLine {
  std::string text;
  std::string brief = {};  ///< in a narrow frame
  ChartPoint from, to;
  std::string colour = {};
  double aside = -15;  ///< pixels to the left of the way from one end to the other
  bool small = false;
  bool outside = false;  ///< right of the plot at the line's end, where the frame has room for it
  Tags tags = {};
};

/// Names beside marks of one kind; those in one place share a label.
struct NamesOfMarks {
  std::vector<std::string> names;                 ///< in their order
  std::vector<std::optional<ChartPoint>> places;  ///< of each; empty: it has no mark
  std::string colour = {};
  bool apart = false;  ///< each has a label of its own
  bool small = false;
  Tags tags = {};
};

/// Places these names in the chart's frame and in a phone's: none over another, over a mark or, as
/// far as there is room, over a line. A phone has those that find room.
void place_names(Chart& chart, const std::vector<NameOfLine>& lines,
                 const std::vector<NamesOfMarks>& marks);

}  // namespace roofline
