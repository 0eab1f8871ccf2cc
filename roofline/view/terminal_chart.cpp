#include "roofline/view/terminal_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "roofline/base/terminal.h"
#include "roofline/base/units.h"
#include "roofline/view/device_charts.h"
#include "roofline/view/labels.h"

namespace roofline {
namespace {

constexpr int columns = 70, rows = 16, margin = 7;
constexpr std::size_t page_width = 78;

/// A level's marker, by the order of Shape.
std::string marker(Shape shape) {
  return {"@#^*v"[std::min<std::size_t>(static_cast<std::size_t>(shape), 4)]};
}

/// A roof's name and value: "FP64, FMA 33.1 TFLOP/s".
std::string named(const std::string& name, const ChartLine& line) {
  return line.facts.empty() ? name : name + " " + line.facts.front().second;
}

/// Characters by row and column. Where two things meet, the first has the cell.
class Canvas {
 public:
  explicit Canvas(const Chart& chart) : chart_(chart), axes_(chart, {0, 0, columns - 1, rows - 1}) {
    draw_marks();
    for (const bool names : {true, false})
      for (const char* item : {"roof", "thin roof"})
        for (const ChartLine& line : chart.lines)
          if (line.item == item) names ? name(line) : draw(line);
  }

  std::string text() {
    std::string text, names(page_width, ' ');
    std::map<int, std::string> values;
    for (const double value : round_values({chart_.y.low / 1.001, chart_.y.high * 1.001}))
      values[row_of(value)] = round_with_prefix(value, "");
    for (int row = 0; row < rows; ++row) {
      text += fmt::format("{:>{}}|", values[row], margin);
      for (int column = 0; column < columns; ++column)
        text += cells_.contains({row, column}) ? cells_[{row, column}] : " ";
      text = text.erase(text.find_last_not_of(' ') + 1) + '\n';
    }
    for (double power = std::ceil(std::log10(chart_.x.low) - 1e-6);
         power <= std::log10(chart_.x.high) + 1e-6; ++power) {
      const std::string name = fmt::format("{:g}", std::pow(10.0, power));
      const auto at = static_cast<std::size_t>(margin + 1 + column_of(std::pow(10.0, power)));
      names.replace(std::min(at - name.size() / 2, page_width - name.size()), name.size(), name);
    }
    names.erase(names.find_last_not_of(' ') + 1);
    return text + fmt::format("{:>{}}{:->{}}\n{}\n", "+", margin + 1, "", columns, names);
  }

 private:
  int column_of(double x) const { return static_cast<int>(std::lround(axes_.x(x))); }
  int row_of(double y) const { return static_cast<int>(rows - 1 - std::lround(axes_.y(y))); }

  bool write(const std::string& text, int column, int row) {
    const int end = column + static_cast<int>(text.size());
    const bool free = cells_.lower_bound({row, column}) == cells_.lower_bound({row, end});
    if (!free || column < 0 || end > columns || row < 0 || row >= rows) return false;
    for (const char letter : text) cells_[{row, column++}] = letter;
    return true;
  }

  void draw_marks() {
    std::map<std::pair<int, int>, std::pair<const ChartMark*, std::vector<std::size_t>>> spots;
    for (const ChartMark& mark : chart_.marks) {
      const int row = row_of(mark.at.y), column = column_of(mark.at.x);
      const auto step = std::ranges::find(chart_.steps, mark.name) - chart_.steps.begin();
      if (mark.small || step == std::ssize(chart_.steps)) continue;
      auto& [first, steps] = spots[{row, column}];
      if (first == nullptr && write("?", column, row)) cells_[{row, column}] = marker(mark.shape);
      if (first == nullptr) first = &mark;
      if (first->of == mark.of) steps.push_back(static_cast<std::size_t>(step));
    }
    for (const auto& [at, spot] : spots) {
      std::string text = label_range(chart_.steps, spot.second, "-");
      if (spot.first->hollow) text = "~" + text;
      const auto [row, column] = at;
      // Without room the marker has no name: the tables and the larger charts have it.
      write(text, column + 1, row) || write(text, column - static_cast<int>(text.size()), row) ||
          write(text, column, row - 1) || write(text, column, row + 1);
    }
  }

  /// A flat roof's name, as far to the right as it fits: above a peak, and on a thin roof's line.
  void name(const ChartLine& line) {
    const bool thin = line.item == "thin roof";
    const int row = row_of(line.points.back().y) - (thin ? 0 : 1);
    if (line.points.front().y < line.points.back().y || !named_.insert(row).second) return;
    const std::string text = named(thin ? " " + line.name : line.name, line);
    for (int at = columns - static_cast<int>(text.size()); at > columns / 5; --at)
      if (write(text, at, row)) return;
  }

  void draw(const ChartLine& line) {
    const ChartPoint &from = line.points.front(), &to = line.points.back();
    const bool flat = from.y == to.y, thin = line.item == "thin roof";
    if (thin && !flat) return;
    for (int column = 0; column < columns; ++column) {
      const double share = (column - axes_.x(from.x)) / (axes_.x(to.x) - axes_.x(from.x));
      const double y = std::lerp(axes_.y(from.y), axes_.y(to.y), share);
      const int row = static_cast<int>(rows - 1 - std::lround(y));
      if (share >= 0 && share <= 1 && row >= 0 && row < rows && !(thin && column % 2 == 1))
        cells_.try_emplace({row, column}, thin ? "." : flat ? "-" : "/");
    }
  }

  const Chart& chart_;
  Axes axes_;
  std::map<std::pair<int, int>, std::string> cells_;  // by row and column
  std::set<int> named_;                               // rows with a roof's name
};

/// "@ L1 32.0 TB/s   # L2 7.40 TB/s   ~: analytic".
std::string key(const Chart& chart) {
  std::string text;
  for (const ChartKey& one : chart.key) {
    std::string entry = one.text;
    for (const ChartLine& line : chart.lines)
      if (line.item == "roof" && line.of == one.of) entry = named(entry, line);
    if (!one.of.empty() && one.shape) text += marker(*one.shape) + " " + entry + "   ";
    if (one.of.empty() && one.hollow) text += "~: " + entry;
  }
  return text.erase(text.find_last_not_of(' ') + 1);
}

}  // namespace

std::string terminal_roofline(const RooflineChart& rooflines, const std::string& what) {
  const Chart chart = make_roofline(rooflines, "roofline", what);
  std::string text = fmt::format(
      "{}\n{:>{}}\n{}{:{}}{}\n{:{}}{}\n",
      wrapped("Roofline of " + rooflines.device + ": " + what, page_width, 2), chart.y.unit, margin,
      Canvas(chart).text(), "", margin + 1, chart.x.title, "", margin + 1, key(chart));
  for (const std::string& note : chart.notes) text += paragraph(note, 2, page_width);
  return text;
}

}  // namespace roofline
