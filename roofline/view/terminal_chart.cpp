#include "roofline/view/terminal_chart.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <langinfo.h>
#include <locale.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "roofline/base/terminal.h"
#include "roofline/base/units.h"
#include "roofline/view/device_charts.h"
#include "roofline/view/labels.h"

namespace roofline {
namespace {

constexpr int columns = 70, rows = 16;
constexpr std::size_t margin = 7;  // columns for the vertical axis's numbers
constexpr std::size_t page_width = 78;

/// A shape's representation in characters.
struct Marker {
  const char* filled;
  const char* hollow;
  char ascii;
  Colour colour;
};

Marker marker_of(Shape shape) {
  switch (shape) {
    case Shape::circle:
      return {"●", "○", '@', Colour::yellow};
    case Shape::square:
      return {"■", "□", '#', Colour::green};
    case Shape::diamond:
      return {"◆", "◇", '*', Colour::cyan};
    case Shape::pentagon:
      return {"⬟", "⬠", 'v', Colour::red};
    default:
      return {"▲", "△", '^', Colour::bold};
  }
}

/// The chart's marker for a level or a roof.
Marker marker_of(const Chart& chart, const std::string& of) {
  for (const ChartMark& mark : chart.marks)
    if (mark.of == of) return marker_of(mark.shape);
  return marker_of(Shape::triangle);
}

struct Cell {
  std::string glyph;  ///< one character; empty: a line or blank
  std::optional<Colour> colour;
  unsigned dots = 0;  ///< dots of a braille line, or nonzero for an ASCII line
  char line = ' ';    ///< character of an ASCII line

  bool free() const { return glyph.empty(); }
};

/// Marks of one level in one character cell.
struct Spot {
  const ChartMark* first;
  std::vector<std::size_t> steps;  ///< steps, as indices in Chart::steps
  int column, row;
};

bool is_flat(const ChartLine& line) { return line.points.front().y == line.points.back().y; }

/// A roof's value: "33.1 TFLOP/s".
std::string measured(const ChartLine& line) {
  return line.facts.empty() ? "" : line.facts.front().second;
}

class Canvas {
 public:
  Canvas(const Chart& chart, const TextStyle& style)
      : chart_(chart),
        style_(style),
        axes_(chart, {0, 0, columns - 1, rows - 1}),
        cells_(static_cast<std::size_t>(columns * rows)) {}

  void draw() {
    for (const ChartLine& line : chart_.lines)
      if (line.item == "roof") draw_line(line);
    for (const ChartLine& line : chart_.lines)
      if (line.item == "roof" && is_flat(line)) name_peak(line);
    const std::vector<const ChartLine*> thin = draw_thin_roofs();
    draw_spots();
    for (const ChartLine* roof : thin) name_thin_roof(*roof);
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
  int column_of(double x) const { return static_cast<int>(std::lround(axes_.x(x))); }
  /// The row of a value; rows count from the top.
  int row_of(double y) const { return static_cast<int>(std::lround(rows - 1 - axes_.y(y))); }

  void draw_line(const ChartLine& line);
  void name_peak(const ChartLine& line);
  std::vector<const ChartLine*> draw_thin_roofs();
  void name_thin_roof(const ChartLine& roof);
  void draw_spots();
  std::vector<Spot> spots() const;
  void name_spot(const Spot& spot);
  std::string name_of_steps(const Spot& spot) const;
  bool fits(const std::string& text, int column, int row) const;
  bool touches(const std::string& text, int column, int row, const Spot& own) const;
  void write(const std::string& text, int column, int row, std::optional<Colour> colour);
  std::vector<std::string> row_names() const;

  const Chart& chart_;
  TextStyle style_;
  Axes axes_;
  std::vector<Cell> cells_;
  std::string crowded_;
};

/// Omits "FP64" in "FP64 scalar, FMA" if the vertical axis is titled "FP64 operations".
std::string without_title(const std::string& label, const ChartAxis& axis) {
  const std::string title = axis.title.substr(0, axis.title.find(' '));
  if (title.empty() || !label.starts_with(title)) return label;
  const std::size_t rest = label.find_first_not_of(" ,", title.size());
  return rest == std::string::npos ? label : label.substr(rest);
}

/// The bits of a braille character by column and row of its dots (Unicode, block U+2800).
constexpr std::array<std::array<unsigned, 4>, 2> braille = {
    {{0x01, 0x02, 0x04, 0x40}, {0x08, 0x10, 0x20, 0x80}}};

void Canvas::draw_line(const ChartLine& line) {
  const ChartPoint &from = line.points.front(), &to = line.points.back();
  const double x0 = axes_.x(from.x), x1 = axes_.x(to.x);
  const double y0 = rows - 1 - axes_.y(from.y), y1 = rows - 1 - axes_.y(to.y);
  const int count = 8 * (columns + rows);
  for (int i = 0; i <= count; ++i) {
    // Cells extend from -1/2 to +1/2 around integers.
    const double x = x0 + (x1 - x0) * i / count + 0.5, y = y0 + (y1 - y0) * i / count + 0.5;
    const int column = static_cast<int>(std::floor(x)), row = static_cast<int>(std::floor(y));
    if (!inside(column, row)) continue;
    Cell& at = cell(column, row);
    at.dots |= braille[static_cast<std::size_t>(2 * (x - column))]
                      [static_cast<std::size_t>(4 * (y - row))];
    at.line = is_flat(line) ? '-' : '/';
    at.colour = is_flat(line) ? Colour::bold : marker_of(chart_, line.of).colour;
  }
}

/// Writes the peak's name above its right end.
void Canvas::name_peak(const ChartLine& line) {
  const std::string text = line.name + " " + measured(line);
  const int row = row_of(line.points.back().y) - 1;
  const int column = columns - static_cast<int>(text.size());
  if (fits(text, column, row)) write(text, column, row, Colour::bold);
}

/// Draws compute roofs below the peak as dots; returns those drawn. A roof in the same row as
/// another is omitted; larger charts have it.
std::vector<const ChartLine*> Canvas::draw_thin_roofs() {
  std::vector<const ChartLine*> drawn;
  std::vector<int> taken;
  for (const ChartLine& line : chart_.lines) {
    if ((line.item != "roof" && line.item != "thin roof") || !is_flat(line)) continue;
    const int row = row_of(line.points.back().y);
    if (std::ranges::find(taken, row) != taken.end()) continue;
    taken.push_back(row);
    if (line.item == "roof") continue;
    drawn.push_back(&line);
    const int left = static_cast<int>(std::ceil(axes_.x(line.points.front().x)));
    for (int column = left; column < columns; ++column)
      if (inside(column, row) && cell(column, row).dots == 0) {
        cell(column, row).dots = column % 2 == 0 ? braille[0][1] : 0;
        cell(column, row).line = '.';
      }
  }
  return drawn;
}

/// Writes the name on its line, as far to the right as possible.
void Canvas::name_thin_roof(const ChartLine& roof) {
  const std::string text =
      fmt::format(" {} {} ", without_title(roof.name, chart_.y), measured(roof));
  const int row = row_of(roof.points.back().y);
  for (int column = columns - static_cast<int>(text.size()); column > columns / 5; --column)
    if (fits(text, column, row)) return write(text, column, row, {});
  crowd_out(roof.name);
}

/// True if all cells are free for an ASCII text.
bool Canvas::fits(const std::string& text, int column, int row) const {
  for (int i = 0; i < static_cast<int>(text.size()); ++i)
    if (!inside(column + i, row) || !cell(column + i, row).free()) return false;
  return true;
}

/// True if the text would be beside something other than its own marker.
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
  for (const ChartMark& mark : chart_.marks) {
    if (mark.small) continue;
    const int column = column_of(mark.at.x), row = row_of(mark.at.y);
    const auto step =
        static_cast<std::size_t>(std::ranges::find(chart_.steps, mark.name) - chart_.steps.begin());
    if (!inside(column, row) || step == chart_.steps.size()) continue;
    const auto same = std::ranges::find_if(list, [&](const Spot& spot) {
      return spot.first->of == mark.of && spot.column == column && spot.row == row;
    });
    if (same == list.end())
      list.push_back({&mark, {step}, column, row});
    else
      same->steps.push_back(step);
  }
  return list;
}

/// Draws markers first, so that names do not take their cells.
void Canvas::draw_spots() {
  const std::vector<Spot> list = spots();
  for (const Spot& spot : list) {
    const Marker marker = marker_of(spot.first->shape);
    Cell& at = cell(spot.column, spot.row);
    at.glyph = !style_.unicode      ? std::string(1, marker.ascii)
               : spot.first->hollow ? marker.hollow
                                    : marker.filled;
    at.colour = marker.colour;
  }
  for (const Spot& spot : list) name_spot(spot);
}

/// The numbers of a spot's steps: "7", "1-3", "7,8"; in ASCII "~7" if computed.
std::string Canvas::name_of_steps(const Spot& spot) const {
  std::vector<std::string> names = chart_.steps;
  for (std::string& name : names)
    if (name.size() > 1 && name.front() == 'v' &&
        name.find_first_not_of("0123456789", 1) == std::string::npos)
      name.erase(0, 1);
  std::string text = label_range(names, spot.steps, "-");
  std::ranges::replace(text, ' ', ',');
  return spot.first->hollow && !style_.unicode ? "~" + text : text;
}

/// A level's text in the key: "L1", "shared memory".
std::string key_text(const Chart& chart, const std::string& of) {
  for (const ChartKey& entry : chart.key)
    if (entry.of == of) return entry.text;
  return of;
}

void Canvas::name_spot(const Spot& spot) {
  const std::string text = name_of_steps(spot);
  const Colour colour = marker_of(spot.first->shape).colour;
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
  crowd_out(fmt::format("{} {}", key_text(chart_, spot.first->of), text));
}

std::string braille_character(unsigned dots) {
  // This is U+2800 + dots in UTF-8.
  const unsigned code = 0x2800 + dots;
  return {static_cast<char>(0xE0 | (code >> 12)), static_cast<char>(0x80 | ((code >> 6) & 0x3F)),
          static_cast<char>(0x80 | (code & 0x3F))};
}

std::string glyph_of(const Cell& cell, bool unicode) {
  if (!cell.glyph.empty()) return cell.glyph;
  if (cell.dots == 0) return " ";
  return unicode ? braille_character(cell.dots) : std::string(1, cell.line);
}

/// The labels of the vertical axis by row: "20 T".
std::vector<std::string> Canvas::row_names() const {
  std::vector<std::string> names(rows);
  const Range range{chart_.y.low / 1.001, chart_.y.high * 1.001};
  for (const double value : round_values(range)) {
    const long row = rows - 1 - std::lround(axes_.y(value));
    if (row >= 0 && row < rows) names[static_cast<std::size_t>(row)] = round_with_prefix(value, "");
  }
  return names;
}

std::string Canvas::text() const {
  const std::vector<std::string> names = row_names();
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
      blanks.clear();  // lines have no trailing blanks
    }
    text += line + "\n";
  }
  return text;
}

/// The horizontal axis with powers of ten.
std::string horizontal_axis(const Chart& chart, bool unicode) {
  const Axes axes(chart, {0, 0, columns - 1, rows - 1});
  std::string line = std::string(margin, ' ') + (unicode ? "└" : "+");
  std::vector<bool> tics(columns);
  std::string names(margin + 1 + columns + 8, ' ');
  for (double power = std::ceil(std::log10(chart.x.low) - 1e-6);
       power <= std::log10(chart.x.high) + 1e-6; ++power) {
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

/// The key: "● L1 32.0 TB/s   ■ L2 7.40 TB/s   ○ hollow: analytic".
std::string key(const Chart& chart, const TextStyle& style) {
  std::string text;
  for (const ChartKey& one : chart.key) {
    if (one.of.empty() || !one.shape) continue;
    const Marker marker = marker_of(*one.shape);
    const std::string sign = !style.unicode
                                 ? std::string(1, marker.ascii)
                                 : std::string(one.hollow ? marker.hollow : marker.filled);
    std::string entry = fmt::format("{} {}", sign, one.text);
    for (const ChartLine& line : chart.lines)
      if (line.item == "roof" && line.of == one.of) entry += " " + measured(line);
    text += fmt::format("{}   ", coloured(entry, marker.colour, style.colours));
  }
  for (const ChartKey& one : chart.key)
    if (one.hollow && one.of.empty())
      text += fmt::format("{}: {}", style.unicode ? "hollow" : "~", one.text);
  text.erase(text.find_last_not_of(' ') + 1);
  return std::string(margin + 1, ' ') + text + "\n";
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

std::string terminal_text(const Chart& chart, const std::string& headline, const TextStyle& style) {
  Canvas canvas(chart, style);
  canvas.draw();
  std::string text = wrapped(headline, page_width, 2);
  text += fmt::format("\n{:>{}}\n", chart.y.unit, margin) + canvas.text() +
          horizontal_axis(chart, style.unicode);
  const std::size_t colon = chart.x.title.find(": ");
  text += std::string(margin + 1, ' ') +
          (colon == std::string::npos ? chart.x.title : chart.x.title.substr(colon + 2)) + "\n" +
          key(chart, style);
  if (!canvas.crowded().empty())
    text += paragraph(fmt::format("No room to name {}", canvas.crowded()), 2, page_width);
  for (const std::string& note : chart.notes) text += paragraph(note, 2, page_width);
  return text;
}

std::string terminal_roofline(const RooflineChart& chart, const std::string& what,
                              const TextStyle& style) {
  return terminal_text(make_roofline({{chart}}, "roofline", what),
                       fmt::format("Roofline of {}: {}", chart.device, what), style);
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
      text += paragraph(fmt::format("{} in {} cannot be drawn: {}", name, point.precision,
                                    fmt::join(point.defects, "; ")),
                        2, page_width);
  }
  for (const Missing& one : placed.missing)
    text += paragraph(fmt::format("{} in {} has no point: {}", name, one.name, one.reason), 2,
                      page_width);
  return text;
}

}  // namespace roofline
