#include "roofline/charts/terminal.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <langinfo.h>
#include <locale.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "roofline/base/table.h"
#include "roofline/base/terminal.h"
#include "roofline/charts/gnuplot.h"
#include "roofline/charts/page.h"

namespace roofline {
namespace {

constexpr int columns = 70, rows = 16;
constexpr std::size_t margin = 7;  // for the numbers of the axis
constexpr std::size_t page_width = 78;

/// How the markers of a level look.
struct Marker {
  const char* filled;
  const char* hollow;
  char ascii;
  Colour colour;
};

Marker marker_of(const std::string& level) {
  if (level == "l1" || level == "global") return {"●", "○", '@', Colour::yellow};
  if (level == "l2") return {"■", "□", '#', Colour::green};
  if (level == "dram") return {"◆", "◇", '*', Colour::cyan};
  if (level == "shared") return {"▼", "▽", 'v', Colour::red};
  return {"▲", "△", '^', Colour::bold};
}

struct Cell {
  std::string glyph;  ///< one character; empty: a line, or nothing
  std::optional<Colour> colour;
  unsigned dots = 0;  ///< of a line in braille, or any bit for a line in ASCII
  char line = ' ';    ///< of a line in ASCII

  bool free() const { return glyph.empty(); }
};

/// Steps of one level in one cell.
struct Spot {
  std::string level;
  std::vector<std::size_t> steps;
  int column, row;
};

class Canvas {
 public:
  Canvas(const RooflineChart& chart, const TextStyle& style)
      : chart_(chart),
        style_(style),
        axes_{{0, 0, columns - 1, rows - 1}, chart.intensity, chart.flop_per_s},
        cells_(static_cast<std::size_t>(columns * rows)) {}

  void draw() {
    for (const Roof& roof : chart_.roofs)
      if (const auto line = visible_part(chart_, roof); line && !roof.thin) draw_line(roof, *line);
    name_peak();
    const std::vector<const Roof*> thin = draw_thin_roofs();
    draw_walls();
    draw_spots();
    draw_dashes();
    for (const Roof* roof : thin) name_thin_roof(*roof);
  }
  std::string text() const;
  /// Labels for which there was no room: "L1 7,8".
  const std::string& crowded() const { return crowded_; }

 private:
  void crowd_out(const std::string& name) { crowded_ += (crowded_.empty() ? "" : ", ") + name; }
  Cell& cell(int column, int row) {
    return cells_[static_cast<std::size_t>(row * columns + column)];
  }
  const Cell& cell(int column, int row) const {
    return cells_[static_cast<std::size_t>(row * columns + column)];
  }
  bool inside(int column, int row) const {
    return column >= 0 && column < columns && row >= 0 && row < rows;
  }
  /// Rows count from the top.
  double row_of(double flop_per_s) const { return rows - 1 - axes_.y(flop_per_s); }
  /// That the line of a compute roof lies in.
  int row_of(const Roof& roof) const {
    return static_cast<int>(std::floor(row_of(roof.measured) + 0.5));
  }

  void draw_line(const Roof& roof, const Segment& line);
  void name_peak();
  std::vector<const Roof*> draw_thin_roofs();
  void name_thin_roof(const Roof& roof);
  void draw_walls();
  void draw_dashes();
  void draw_spots();
  std::vector<Spot> spots() const;
  void name_spot(const Spot& spot);
  std::string name_of_steps(const Spot& spot) const;
  bool fits(const std::string& text, int column, int row) const;
  bool touches(const std::string& text, int column, int row, const Spot& own) const;
  void write(const std::string& text, int column, int row, std::optional<Colour> colour);

  const RooflineChart& chart_;
  TextStyle style_;
  LogAxes axes_;
  std::vector<Cell> cells_;
  std::string crowded_;
};

/// "scalar, FMA" of "FP64 scalar, FMA": the chart is one of FP64.
std::string without_title(const std::string& label, const Model& model) {
  if (!label.starts_with(model.title)) return label;
  const std::size_t rest = label.find_first_not_of(" ,", model.title.size());
  return rest == std::string::npos ? label : label.substr(rest);
}

/// Bits of a braille character by column and row of its dots (Unicode, block U+2800).
constexpr std::array<std::array<unsigned, 4>, 2> braille = {
    {{0x01, 0x02, 0x04, 0x40}, {0x08, 0x10, 0x20, 0x80}}};

void Canvas::draw_line(const Roof& roof, const Segment& line) {
  const bool flat = roof.kind == CeilingKind::compute;
  const double x0 = axes_.x(line.x0), x1 = axes_.x(line.x1);
  const double y0 = row_of(line.y0), y1 = row_of(line.y1);
  const int count = 8 * (columns + rows);
  for (int i = 0; i <= count; ++i) {
    // Cells reach from -1/2 to +1/2 around their whole numbers.
    const double x = x0 + (x1 - x0) * i / count + 0.5, y = y0 + (y1 - y0) * i / count + 0.5;
    const int column = static_cast<int>(std::floor(x)), row = static_cast<int>(std::floor(y));
    if (!inside(column, row)) continue;
    Cell& at = cell(column, row);
    at.dots |= braille[static_cast<std::size_t>(2 * (x - column))]
                      [static_cast<std::size_t>(4 * (y - row))];
    at.line = flat ? '-' : '/';
    at.colour = flat ? Colour::bold : marker_of(roof.name).colour;
  }
}

/// Above the peak, at its right end.
void Canvas::name_peak() {
  for (const Roof& roof : chart_.roofs) {
    if (roof.name != chart_.model.peak) continue;
    const std::string text =
        fmt::format("{} {}", roof.label, with_prefix(roof.measured, roof.unit));
    const int row = row_of(roof) - 1;
    const int column = columns - static_cast<int>(text.size());
    if (fits(text, column, row)) write(text, column, row, Colour::bold);
  }
}

/// Dotted, the compute roofs below the peak; returns those drawn. One that would share the row of
/// another is left to larger charts.
std::vector<const Roof*> Canvas::draw_thin_roofs() {
  std::vector<const Roof*> drawn;
  std::vector<int> taken;
  for (const Roof& roof : chart_.roofs) {
    if (roof.kind != CeilingKind::compute) continue;
    const auto line = visible_part(chart_, roof);
    const int row = row_of(roof);
    if (!line || std::find(taken.begin(), taken.end(), row) != taken.end()) continue;
    taken.push_back(row);
    if (!roof.thin) continue;
    drawn.push_back(&roof);
    for (int column = static_cast<int>(std::ceil(axes_.x(line->x0))); column < columns; ++column)
      if (inside(column, row) && cell(column, row).dots == 0) {
        cell(column, row).dots = column % 2 == 0 ? braille[0][1] : 0;
        cell(column, row).line = '.';
      }
  }
  return drawn;
}

/// On its line, as far to the right as there is room.
void Canvas::name_thin_roof(const Roof& roof) {
  const std::string text = fmt::format(" {} {} ", without_title(roof.label, chart_.model),
                                       with_prefix(roof.measured, roof.unit));
  const int row = row_of(roof);
  for (int column = columns - static_cast<int>(text.size()); column > columns / 5; --column)
    if (fits(text, column, row)) return write(text, column, row, {});
  crowd_out(roof.label);
}

/// Whether all cells are free for an ASCII text.
bool Canvas::fits(const std::string& text, int column, int row) const {
  for (int i = 0; i < static_cast<int>(text.size()); ++i)
    if (!inside(column + i, row) || !cell(column + i, row).free()) return false;
  return true;
}

/// Whether it would stand at the side of something other than its own marker.
bool Canvas::touches(const std::string& text, int column, int row, const Spot& own) const {
  const auto taken = [&](int at) {
    return inside(at, row) && !cell(at, row).free() && !(at == own.column && row == own.row);
  };
  return taken(column - 1) || taken(column + static_cast<int>(text.size()));
}

void Canvas::write(const std::string& text, int column, int row, std::optional<Colour> colour) {
  for (const char c : text) {
    cell(column, row).glyph = std::string(1, c);
    cell(column++, row).colour = colour;
  }
}

std::vector<Spot> Canvas::spots() const {
  std::vector<Spot> list;
  for (std::size_t i = 0; i < chart_.steps.size(); ++i)
    for (const LevelPoint& level : chart_.steps[i].point.levels) {
      const int column = static_cast<int>(std::lround(axes_.x(level.intensity)));
      const int row = static_cast<int>(std::lround(row_of(height_of(chart_.steps[i].point))));
      const auto same = std::find_if(list.begin(), list.end(), [&](const Spot& spot) {
        return spot.level == level.level && spot.column == column && spot.row == row;
      });
      if (same == list.end())
        list.push_back({level.level, {i}, column, row});
      else
        same->steps.push_back(i);
    }
  return list;
}

/// Dotted columns up to the roof.
void Canvas::draw_walls() {
  for (const WallLine& wall : chart_.walls) {
    const int column = static_cast<int>(std::lround(axes_.x(wall.intensity)));
    for (int row = static_cast<int>(std::lround(row_of(wall.top))); row < rows; ++row)
      if (inside(column, row) && cell(column, row).dots == 0) {
        cell(column, row).dots = braille[0][1] | braille[0][3];
        cell(column, row).line = ':';
      }
  }
}

/// A line above the marker, as high as it would be were no lane switched off.
void Canvas::draw_dashes() {
  for (const Step& step : chart_.steps) {
    if (!step.point.active_per_s) continue;
    const int row = static_cast<int>(std::lround(row_of(step.point.flop_per_s)));
    for (const LevelPoint& level : step.point.levels) {
      const int column = static_cast<int>(std::lround(axes_.x(level.intensity)));
      if (!inside(column, row) || !cell(column, row).free()) continue;
      cell(column, row).glyph = style_.unicode ? "─" : "=";
      cell(column, row).colour = marker_of(level.level).colour;
    }
  }
}

/// Markers first, so that no name takes the place of one.
void Canvas::draw_spots() {
  const std::vector<Spot> list = spots();
  for (const Spot& spot : list) {
    const Marker marker = marker_of(spot.level);
    const bool hollow = chart_.steps[spot.steps.front()].point.analytic;
    Cell& at = cell(spot.column, spot.row);
    at.glyph = !style_.unicode ? std::string(1, marker.ascii)
               : hollow        ? marker.hollow
                               : marker.filled;
    at.colour = marker.colour;
  }
  for (const Spot& spot : list) name_spot(spot);
}

/// "7", "1-3", "7,8": numbers of steps; in ASCII "~7" where they are analytic.
std::string Canvas::name_of_steps(const Spot& spot) const {
  std::vector<Step> steps = chart_.steps;
  for (Step& step : steps)
    if (step.label.size() > 1 && step.label.front() == 'v' &&
        step.label.find_first_not_of("0123456789", 1) == std::string::npos)
      step.label.erase(0, 1);
  std::string text = label_range(steps, spot.steps, "-");
  std::replace(text.begin(), text.end(), ' ', ',');
  const bool hollow = chart_.steps[spot.steps.front()].point.analytic;
  return hollow && !style_.unicode ? "~" + text : text;
}

void Canvas::name_spot(const Spot& spot) {
  const std::string text = name_of_steps(spot);
  const Colour colour = marker_of(spot.level).colour;
  const int length = static_cast<int>(text.size());
  const int column = spot.column, row = spot.row;
  const std::array<std::pair<int, int>, 6> places = {{{column + 1, row},
                                                      {column - length, row},
                                                      {column, row - 1},
                                                      {column, row + 1},
                                                      {column - length + 1, row - 1},
                                                      {column - length + 1, row + 1}}};
  for (const bool apart : {true, false})
    for (const auto& [x, y] : places)
      if (fits(text, x, y) && !(apart && touches(text, x, y, spot)))
        return write(text, x, y, colour);
  crowd_out(fmt::format("{} {}", level_label(chart_, spot.level), text));
}

std::string braille_character(unsigned dots) {
  // U+2800 + dots, as UTF-8.
  const unsigned code = 0x2800 + dots;
  return {static_cast<char>(0xE0 | (code >> 12)), static_cast<char>(0x80 | ((code >> 6) & 0x3F)),
          static_cast<char>(0x80 | (code & 0x3F))};
}

std::string glyph_of(const Cell& cell, bool unicode) {
  if (!cell.glyph.empty()) return cell.glyph;
  if (cell.dots == 0) return " ";
  return unicode ? braille_character(cell.dots) : std::string(1, cell.line);
}

/// Values of the vertical axis by row: "20 T".
std::vector<std::string> row_names(const RooflineChart& chart, const LogAxes& axes) {
  std::vector<std::string> names(rows);
  const double low = std::floor(std::log10(chart.flop_per_s.low));
  const bool few = chart.flop_per_s.high / chart.flop_per_s.low < 300;
  for (double power = low; power <= std::log10(chart.flop_per_s.high); ++power)
    for (const int digit : {1, 2, 5}) {
      const double value = digit * std::pow(10.0, power);
      const long row = rows - 1 - std::lround(axes.y(value));
      if (row < 0 || row >= rows || (digit != 1 && !few)) continue;
      std::string text = with_prefix(value, "");
      if (const std::size_t dot = text.find(".0"); dot != std::string::npos)
        text.erase(dot, text.find(' ') - dot);
      names[static_cast<std::size_t>(row)] = text;
    }
  return names;
}

std::string Canvas::text() const {
  const std::vector<std::string> names = row_names(chart_, axes_);
  std::string text;
  for (int row = 0; row < rows; ++row) {
    const std::string& name = names[static_cast<std::size_t>(row)];
    const char* axis = style_.unicode ? (name.empty() ? "│" : "┤") : (name.empty() ? "|" : "+");
    text += fmt::format("{:>{}}{}", name, margin, axis);
    std::string line, blanks;
    for (int column = 0; column < columns; ++column) {
      const Cell& at = cell(column, row);
      const std::string glyph = glyph_of(at, style_.unicode);
      if (glyph == " ") {
        blanks += glyph;
        continue;
      }
      line += blanks + (at.colour ? coloured(glyph, *at.colour, style_.colours) : glyph);
      blanks.clear();  // none stay at the end of a line
    }
    text += line + "\n";
  }
  return text;
}

/// The horizontal axis with its powers of ten.
std::string intensity_axis(const RooflineChart& chart, bool unicode) {
  const LogAxes axes{{0, 0, columns - 1, rows - 1}, chart.intensity, chart.flop_per_s};
  std::string line = std::string(margin, ' ') + (unicode ? "└" : "+");
  std::vector<bool> tics(columns);
  std::string names(margin + 1 + columns + 8, ' ');
  for (double power = std::round(std::log10(chart.intensity.low));
       power <= std::round(std::log10(chart.intensity.high)); ++power) {
    const auto column = static_cast<std::size_t>(std::lround(axes.x(std::pow(10.0, power))));
    tics[column] = true;
    const std::string name = fmt::format("{:g}", std::pow(10.0, power));
    const std::size_t start =
        std::min(margin + 1 + column - name.size() / 2, page_width - name.size());
    names.replace(start, name.size(), name);
  }
  for (const bool tic : tics) line += unicode ? (tic ? "┴" : "─") : (tic ? "+" : "-");
  names.erase(names.find_last_not_of(' ') + 1);
  return line + "\n" + names + "\n";
}

/// "● L1 32.0 TB/s   ■ L2 7.40 TB/s   ○ hollow: analytic".
std::string key(const RooflineChart& chart, const TextStyle& style) {
  std::string text;
  for (const std::string& level : chart.levels) {
    const Marker marker = marker_of(level);
    const std::string sign = !style.unicode
                                 ? std::string(1, marker.ascii)
                                 : std::string(chart.any_counted() ? marker.filled : marker.hollow);
    std::string entry = fmt::format("{} {}", sign, level_label(chart, level));
    for (const Roof& roof : chart.roofs)
      if (roof.name == level) entry += fmt::format(" {}", with_prefix(roof.measured, roof.unit));
    text += fmt::format("{}   ", coloured(entry, marker.colour, style.colours));
  }
  if (chart.any_analytic())
    text += style.unicode ? "hollow: analytic, not counted" : "~: analytic, not counted";
  text.erase(text.find_last_not_of(' ') + 1);
  return std::string(margin + 1, ' ') + text + "\n";
}

/// "walls: same address 1, unit stride, 4 B 0.25": no room beside the lines.
std::string walls_named(const RooflineChart& chart) {
  std::string text;
  for (const WallLine& wall : chart.walls)
    text += fmt::format("{}{} {:g}", text.empty() ? "walls: " : "; ", wall.label, wall.intensity);
  return wrapped(std::string(margin + 1, ' ') + text, page_width, margin + 1) + "\n";
}

}  // namespace

TextStyle terminal_style() {
  TextStyle style{colours_wanted(), false};
  if (locale_t locale = newlocale(LC_CTYPE_MASK, "", nullptr)) {
    style.unicode = std::string(nl_langinfo_l(CODESET, locale)) == "UTF-8";
    freelocale(locale);
  }
  return style;
}

std::string terminal_roofline(const RooflineChart& chart, const std::string& what,
                              const TextStyle& style) {
  Canvas canvas(chart, style);
  canvas.draw();
  std::string text = wrapped(fmt::format("Roofline of {}: {}", chart.device, what), page_width, 2);
  text += fmt::format("\n{:>{}}\n", chart.model.rate_unit(), margin) + canvas.text() +
          intensity_axis(chart, style.unicode);
  text += std::string(margin + 1, ' ') + chart.model.across + "\n" + key(chart, style);
  if (chart.any_active())
    text += fmt::format("{:{}}{} with lanes that were switched off\n", "", margin + 1,
                        style.unicode ? "─" : "=");
  if (!chart.walls.empty()) text += walls_named(chart);
  if (!canvas.crowded().empty())
    text += wrapped(fmt::format("No room to name {}", canvas.crowded()), page_width, 2) + "\n";
  for (const std::string& note : chart.notes) text += wrapped(note, page_width, 2) + "\n";
  return text;
}

std::string terminal_rooflines(const Ceilings& ceilings, const RooflinePoints& placed,
                               const std::string& name, const TextStyle& style) {
  std::string text;
  for (const RooflinePoint& point : placed.points) {
    const auto chart = make_chart(ceilings, {{name, point}}, point.precision);
    const std::string share =
        point.share < 1 ? fmt::format(" ({:.3g}% of its operations)", 100 * point.share) : "";
    if (chart)
      text += terminal_roofline(*chart, fmt::format("{}, {}{}", name, chart->model.title, share),
                                style);
    else
      text += wrapped(fmt::format("{} in {} cannot be drawn: {}", name, point.precision,
                                  fmt::join(point.defects, "; ")),
                      page_width, 2) +
              "\n";
  }
  for (const Missing& one : placed.missing)
    text += wrapped(fmt::format("{} in {} has no point: {}", name, one.name, one.reason),
                    page_width, 2) +
            "\n";
  return text;
}

}  // namespace roofline
