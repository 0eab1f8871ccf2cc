// Finding room for labels, so that none covers another or what it names.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "roofline/charts/page.h"

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

  /// The cheapest place for a label of this size around `target`; from then on it is in the way of
  /// others. `led`: a line will lead there from the target, and what it crosses costs, too.
  Box place(const Box& target, double width, double height, bool led = false);

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

/// A marker of a step, pixels.
struct Mark {
  std::size_t step = 0;
  double x = 0, y = 0;
};

/// Steps that lie so close together that one label names them.
struct Cluster {
  std::vector<std::size_t> steps;
  Box box;  ///< of their markers
};

/// Marks within `one_place` of each other share a cluster; each reaches as far as `reach`.
std::vector<Cluster> clusters(const std::vector<Mark>& marks, double reach, double one_place = 11);

/// Moves positions apart until neighbours are `gap` from each other and all lie in low..high, as
/// far as there is room; order is kept, and crowds stay centred where they want to be. `wanted`
/// ascends.
std::vector<double> spread(std::vector<double> wanted, double gap, double low, double high);

}  // namespace roofline
