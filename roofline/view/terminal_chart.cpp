#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "roofline/base/text.h"
#include "roofline/view/axes.h"
#include "roofline/view/roofline_chart.h"

namespace roofline {
namespace {

constexpr int columns = 70, rows = 16, margin = 7;
constexpr std::size_t page_width = 78;

/// A level's marker, by the order of Shape.
char marker(Shape shape) { return "@#^*v+x"[static_cast<std::size_t>(shape)]; }

/// Where two things meet, the first has the cell.
class Canvas {
 public:
  explicit Canvas(const Chart& chart) : chart_(chart), axes_(chart, {0, 0, columns - 1, rows - 1}) {
    draw_marks();
    for (const ChartLine& line : chart.lines)
      if (line.item == "roof") draw(line);
  }

  std::string text() const {
    std::string text, powers(page_width, ' ');
    std::map<int, std::string> values;
    for (const double value : round_values({chart_.y.low, chart_.y.high}))
      values[row_of(value)] = round_with_prefix(value, "");
    for (int row = 0; row < rows; ++row) {
      std::string line = lines_[static_cast<std::size_t>(row)];
      std::ranges::replace(line, empty, ' ');
      text += without_end(fmt::format("{:>{}}|{}", values[row], margin, line));
    }
    for (const double value : round_values({chart_.x.low, chart_.x.high}, 1.0 * page_width / 10)) {
      const std::string power = fmt::format("{:g}", value);
      const auto at = static_cast<std::size_t>(margin + 1 + column_of(value)) - power.size() / 2;
      powers.replace(std::min(at, page_width - power.size()), power.size(), power);
    }
    return text + fmt::format("{:>{}}{:->{}}\n", "+", margin + 1, "", columns) +
           without_end(powers);
  }

 private:
  static std::string without_end(std::string line) {
    return line.erase(line.find_last_not_of(' ') + 1) + '\n';
  }
  int column_of(double x) const { return static_cast<int>(std::lround(axes_.x(x))); }
  int row_of(double y) const { return static_cast<int>(rows - 1 - std::lround(axes_.y(y))); }

  bool write(const std::string& text, int column, int row) {
    if (column < 0 || column + std::ssize(text) > columns || row < 0 || row >= rows) return false;
    std::string& line = lines_[static_cast<std::size_t>(row)];
    const auto at = static_cast<std::size_t>(column);
    if (line.substr(at, text.size()).find_first_not_of(empty) != std::string::npos) return false;
    line.replace(at, text.size(), text);
    return true;
  }

  /// Marks in one place share a marker. Without room it has no name: the tables have it.
  void draw_marks() {
    std::map<std::pair<int, int>, std::vector<const ChartMark*>> spots;
    for (const ChartMark& mark : chart_.marks) {
      if (mark.label.empty()) continue;
      const auto [row, column] = std::pair(row_of(mark.at.y), column_of(mark.at.x));
      auto& spot = spots[{row, column}];
      if (spot.empty() || spot.front()->of == mark.of) spot.push_back(&mark);
      if (spot.size() == 1) write({marker(mark.shape)}, column, row);
    }
    for (const auto& [at, spot] : spots) {
      std::vector<std::string> steps;
      for (const ChartMark* mark : spot) steps.push_back(mark->label);
      const auto [row, column] = at;
      const std::string text =
          (spot.front()->hollow ? "~" : "") + label_range(chart_.steps, steps, "-");
      write(text, column + 1, row) || write(text, column - static_cast<int>(text.size()), row) ||
          write(text, column, row - 1) || write(text, column, row + 1);
    }
  }

  /// A roof; above a flat one its name, as far to the right as it fits.
  void draw(const ChartLine& line) {
    const ChartPoint &from = line.points.front(), &to = line.points.back();
    const bool flat = from.y == to.y;
    for (int at = columns - static_cast<int>(line.label.size()); flat && at > columns / 5; --at)
      if (write(line.label, at, row_of(to.y) - 1)) break;
    for (int column = 0; column < columns; ++column) {
      const double share = (column - axes_.x(from.x)) / (axes_.x(to.x) - axes_.x(from.x));
      const double y = std::lerp(axes_.y(from.y), axes_.y(to.y), share);
      if (share >= 0 && share <= 1)
        write(flat ? "-" : "/", column, static_cast<int>(rows - 1 - std::lround(y)));
    }
  }

  static constexpr char empty = '\0';  // blanks in names are taken
  const Chart& chart_;
  Axes axes_;
  std::vector<std::string> lines_ = {rows, std::string(columns, empty)};
};

/// "@ L1 32.0 TB/s   # L2 7.40 TB/s   ~: analytic".
std::string key(const RooflineChart& chart) {
  std::string text;
  for (const std::string& level : chart.levels) {
    const auto roof = std::ranges::find(chart.roofs, level, &Roof::name);
    text +=
        (text.empty() ? "" : "   ") +
        fmt::format("{} {}{}", marker(level_style(level).shape), level_label(chart, level),
                    roof == chart.roofs.end() ? "" : " " + with_prefix(roof->measured, roof->unit));
  }
  const bool analytic =
      std::ranges::any_of(chart.steps, [](const Step& step) { return step.point.analytic; });
  return analytic ? text + "   ~: " + chart.hollow : text;
}

}  // namespace

std::string terminal_roofline(const RooflineChart& rooflines, const std::string& what) {
  const Chart chart = make_roofline(rooflines, "roofline", what);
  std::string text = fmt::format(
      "{}\n{:>{}}\n{}{:{}}{}\n{:{}}{}\n",
      wrapped("Roofline of " + rooflines.device + ": " + what, page_width, 2), chart.y.unit, margin,
      Canvas(chart).text(), "", margin + 1, chart.x.title, "", margin + 1, key(rooflines));
  for (const std::string& note : chart.notes) text += paragraph(note, 2, page_width);
  return text;
}

}  // namespace roofline
