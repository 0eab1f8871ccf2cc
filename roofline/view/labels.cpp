#include "roofline/view/labels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace roofline {
namespace {

/// The cost of omitting a label, so large that any possible place is preferred.
constexpr double cost_of_a_label = 60;
constexpr double cost_of_the_edge = 500;
/// Distances of a label from its target, in pixels.
constexpr std::array<double, 6> distances = {3, 12, 22, 34, 48, 64};

/// A direction from the target's centre, in order of preference.
struct Direction {
  double x, y;
};
constexpr std::array<Direction, 12> directions = {{{0, 1},
                                                   {0, -1},
                                                   {1, 0},
                                                   {-1, 0},
                                                   {1, 1},
                                                   {-1, 1},
                                                   {1, -1},
                                                   {-1, -1},
                                                   {0.5, 1},
                                                   {-0.5, 1},
                                                   {0.5, -1},
                                                   {-0.5, -1}}};

/// The covered share of the smaller of two boxes, 0 to 1.
double covered(const Box& one, const Box& other) {
  const double across = std::min(one.right, other.right) - std::max(one.left, other.left);
  const double up = std::min(one.top, other.top) - std::max(one.bottom, other.bottom);
  if (across <= 0 || up <= 0) return 0;
  return across * up / std::min(one.width() * one.height(), other.width() * other.height());
}

Box beside(const Box& target, Direction direction, double distance, double width, double height) {
  const double x =
      (target.left + target.right) / 2 + direction.x * (target.width() / 2 + distance + width / 2);
  const double y = (target.bottom + target.top) / 2 +
                   direction.y * (target.height() / 2 + distance + height / 2);
  return {x - width / 2, y - height / 2, x + width / 2, y + height / 2};
}

/// Small boxes along a line; none for a line longer than any page.
std::vector<Box> along(double x0, double y0, double x1, double y1) {
  const double step = 5, longest = 1e5;
  const double length = std::hypot(x1 - x0, y1 - y0);
  if (!(length <= longest)) return {};
  const int count = 1 + static_cast<int>(length / step);
  std::vector<Box> boxes;
  for (int i = 0; i <= count; ++i) {
    const double x = x0 + (x1 - x0) * i / count;
    const double y = y0 + (y1 - y0) * i / count;
    boxes.push_back({x - step / 2, y - step / 2, x + step / 2, y + step / 2});
  }
  return boxes;
}

/// The number of UTF-8 characters.
std::ptrdiff_t characters(const std::string& text) {
  return std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; });
}

}  // namespace

double text_width(const std::string& text, double font_size) {
  return 0.58 * font_size * static_cast<double>(characters(text));
}

void LabelPlacer::avoid(const Box& box, double cost) { obstacles_.push_back({box, cost}); }

void LabelPlacer::avoid_line(double x0, double y0, double x1, double y1, double cost) {
  for (const Box& box : along(x0, y0, x1, y1)) avoid(box, cost);
}

double LabelPlacer::cost_of_leader(const Box& target, const Box& label) const {
  const double x = (label.left + label.right) / 2, y = (label.bottom + label.top) / 2;
  const double from_x = std::clamp(x, target.left, target.right);
  const double from_y = std::clamp(y, target.bottom, target.top);
  double sum = 0;
  for (const Box& box : along(from_x, from_y, std::clamp(from_x, label.left, label.right),
                              std::clamp(from_y, label.bottom, label.top)))
    sum += covered(box, target) > 0 ? 0 : cost(box);
  return sum;
}

double LabelPlacer::cost(const Box& box) const {
  const bool outside = box.left < page_.left || box.right > page_.right ||
                       box.bottom < page_.bottom || box.top > page_.top;
  double sum = outside ? cost_of_the_edge : 0;
  for (const Obstacle& obstacle : obstacles_)
    if (const double share = covered(box, obstacle.box); share > 0)
      sum += obstacle.cost * (0.3 + 0.7 * share);
  return sum;
}

Box LabelPlacer::place(const Box& target, double width, double height, bool led) const {
  Box best;
  double lowest = std::numeric_limits<double>::infinity();
  for (std::size_t ring = 0; ring < distances.size(); ++ring)
    for (std::size_t i = 0; i < directions.size(); ++i) {
      const Box box = beside(target, directions[i], distances[ring], width, height);
      double price = 2.0 * static_cast<double>(ring) + 0.1 * static_cast<double>(i);
      if (price < lowest) price += cost(box);
      if (price < lowest && led) price += cost_of_leader(target, box);
      if (price >= lowest) continue;
      lowest = price;
      best = box;
    }
  return best;
}

void LabelPlacer::take(const Box& label) { avoid(label, cost_of_a_label); }

std::vector<Cluster> clusters(const std::vector<Mark>& marks, double reach, double one_place) {
  std::vector<Cluster> list;
  const auto joined = [](const Box& one, const Box& other) {
    return Box{std::min(one.left, other.left), std::min(one.bottom, other.bottom),
               std::max(one.right, other.right), std::max(one.top, other.top)};
  };
  for (const Mark& mark : marks) {
    const Box box{mark.x - reach, mark.y - reach, mark.x + reach, mark.y + reach};
    const auto near = std::ranges::find_if(list, [&](const Cluster& cluster) {
      const Box whole = joined(box, cluster.box);
      return std::hypot(whole.width() - 2 * reach, whole.height() - 2 * reach) < one_place;
    });
    if (near == list.end()) {
      list.push_back({{mark.index}, box});
      continue;
    }
    near->members.push_back(mark.index);
    near->box = joined(box, near->box);
  }
  return list;
}

std::vector<double> spread(std::vector<double> wanted, double gap, double low, double high) {
  // Positions that would touch form a block, placed at the mean of its members' wishes.
  struct Block {
    double sum;  // of the members' wishes for the block's start
    double count;
    double first() const { return sum / count; }
  };
  std::vector<Block> blocks;
  for (const double want : wanted) {
    blocks.push_back({std::clamp(want, low, high), 1});
    while (blocks.size() > 1) {
      Block& before = blocks[blocks.size() - 2];
      const Block& last = blocks.back();
      const double length = gap * before.count;
      if (before.first() + length <= last.first()) break;
      before.sum += last.sum - length * last.count;
      before.count += last.count;
      blocks.pop_back();
    }
  }
  std::vector<double> places;
  for (const Block& block : blocks)
    for (double i = 0; i < block.count; ++i) places.push_back(block.first() + gap * i);
  double limit = high;
  for (auto place = places.rbegin(); place != places.rend(); ++place, limit -= gap)
    *place = std::min(*place, limit), limit = *place;
  limit = low;
  for (double& place : places) {
    place = std::max(place, limit);
    limit = place + gap;
  }
  return places;
}

}  // namespace roofline
