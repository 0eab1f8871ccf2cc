#include "gpp/study/pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <string_view>

#include "data/bundled.h"
#include "data/gpp214.h"
#include "gpp/forms/divide.h"
#include "gpp/prepare.h"
#include "roofline/base/error.h"

namespace gpp {
namespace {

struct Point {
  double x = 0;
  double y = 0;
};

Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y}; }
Point operator*(double factor, Point p) { return {factor * p.x, factor * p.y}; }

// ---- SVG ----------------------------------------------------------------------------------------

constexpr std::string_view ink = "#1f2933";
constexpr std::string_view grey = "#6b7785";

std::string opened(int width, int height, std::string_view title) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
      "height=\"{1}\" font-family=\"sans-serif\" font-size=\"13\">\n<title>{2}</title>\n"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>\n",
      width, height, title);
}

std::string text_at(Point at, std::string_view text, std::string_view more = "") {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" fill=\"{}\"{}>{}</text>\n", at.x, at.y, ink,
                     more, text);
}

std::string line_between(Point from, Point to, std::string_view colour,
                         std::string_view more = "") {
  return fmt::format(
      "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\"{}/>\n", from.x,
      from.y, to.x, to.y, colour, more);
}

std::string outline(const std::vector<Point>& corners) {
  std::string path;
  for (const Point corner : corners)
    path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", corner.x, corner.y);
  return path + "Z";
}

constexpr std::string_view dotted = " stroke-dasharray=\"2 3\" stroke-width=\"1.5\"";
constexpr std::string_view small = " font-size=\"12\"";

// ---- The three loops ----------------------------------------------------------------------------

constexpr int shades = 8;
using Palette = std::array<std::string_view, shades>;

constexpr Palette blues = {"#f7fbff", "#deebf7", "#c6dbef", "#9ecae1",
                           "#6baed6", "#4292c6", "#2171b5", "#084594"};
constexpr Palette oranges = {"#fff5eb", "#fee6ce", "#fdd0a2", "#fdae6b",
                             "#fd8d3c", "#f16913", "#d94801", "#8c2d04"};
constexpr Palette greens = {"#f7fcf5", "#e5f5e0", "#c7e9c0", "#a1d99b",
                            "#74c476", "#41ab5d", "#238b45", "#005a32"};

/// A matrix as squares of colour, each the root mean square of the elements it stands for.
struct Face {
  Point corner;      ///< where both indices are 0
  Point along_rows;  ///< to where the first index ends
  Point along_columns;
  int rows = 0;  ///< squares
  int columns = 0;
  Palette palette;
};

std::vector<double> coarse(const Array2<const Complex>& array, int rows, int columns) {
  const auto part = [](int i, int parts, int whole) { return 1LL * i * whole / parts; };
  std::vector<double> squares;
  for (int column = 0; column < columns; ++column)
    for (int row = 0; row < rows; ++row) {
      double sum = 0;
      int count = 0;
      for (auto j = part(column, columns, array.columns);
           j < part(column + 1, columns, array.columns); ++j)
        for (auto i = part(row, rows, array.rows); i < part(row + 1, rows, array.rows);
             ++i, ++count)
          sum += norm(array(static_cast<int>(i), static_cast<int>(j)));
      squares.push_back(count > 0 ? std::sqrt(sum / count) : 0.0);
    }
  return squares;
}

/// The shade of each value, by its logarithm between the smallest and the largest.
std::vector<int> shades_of(const std::vector<double>& values) {
  double low = 0, high = 0;
  for (const double value : values) {
    if (value > 0 && (low == 0 || value < low)) low = value;
    high = std::max(high, value);
  }
  std::vector<int> list;
  for (const double value : values) {
    const double share = value > 0 && high > low ? std::log(value / low) / std::log(high / low) : 0;
    list.push_back(std::clamp(static_cast<int>(share * shades), 0, shades - 1));
  }
  return list;
}

/// One path per shade, which keeps the file small.
std::string drawn(const Face& face, const Array2<const Complex>& array) {
  const std::vector<int> shade = shades_of(coarse(array, face.rows, face.columns));
  std::array<std::string, shades> paths;
  const auto corner = [&face](int row, int column) {
    return face.corner + (1.0 * row / face.rows) * face.along_rows +
           (1.0 * column / face.columns) * face.along_columns;
  };
  for (int column = 0; column < face.columns; ++column)
    for (int row = 0; row < face.rows; ++row)
      paths[static_cast<std::size_t>(shade[static_cast<std::size_t>(column * face.rows + row)])] +=
          outline({corner(row, column), corner(row + 1, column), corner(row + 1, column + 1),
                   corner(row, column + 1)});
  std::string text;
  for (std::size_t i = 0; i < paths.size(); ++i)
    if (!paths[i].empty())
      text += fmt::format("<path fill=\"{}\" d=\"{}\"/>\n", face.palette[i], paths[i]);
  return text + fmt::format("<path fill=\"none\" stroke=\"{}\" d=\"{}\"/>\n", ink,
                            outline({corner(0, 0), corner(face.rows, 0),
                                     corner(face.rows, face.columns), corner(0, face.columns)}));
}

/// The box, and a place in it: shares of the three edges.
struct Box {
  Point corner{70, 170};
  Point ig{250, 0};
  Point igp{0, 250};
  Point n1{130, -110};

  Point at(double i, double j, double k) const { return corner + i * ig + j * igp + k * n1; }
};

std::string marked_square(const std::vector<Point>& corners) {
  return fmt::format("<path fill=\"none\" stroke=\"#d00000\" stroke-width=\"2.5\" d=\"{}\"/>\n",
                     outline(corners));
}

/// One place in the box, and the element of each face that it reads.
std::string one_triple(const Box& box) {
  constexpr double i = 14.0 / 24, j = 9.0 / 24, k = 8.0 / 16, side = 1.0 / 24, deep = 1.0 / 16;
  const Point place = box.at(i + side / 2, j + side / 2, k + deep / 2);
  std::string text;
  for (const Point face :
       {box.at(i + side / 2, j + side / 2, 0), box.at(i + side / 2, 0, k + deep / 2),
        box.at(1, j + side / 2, k + deep / 2)})
    text += line_between(place, face, "#d00000", dotted);
  text += marked_square({box.at(i, j, 0), box.at(i + side, j, 0), box.at(i + side, j + side, 0),
                         box.at(i, j + side, 0)});
  text += marked_square({box.at(i, 0, k), box.at(i + side, 0, k), box.at(i + side, 0, k + deep),
                         box.at(i, 0, k + deep)});
  text += marked_square({box.at(1, j, k), box.at(1, j + side, k), box.at(1, j + side, k + deep),
                         box.at(1, j, k + deep)});
  return text + fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"5\" fill=\"#d00000\"/>\n",
                            place.x, place.y);
}

/// The share of the bands, from the first, that are occupied.
int occupied_bands(const Problem& problem) {
  int count = 0;
  for (int n1 = 0; n1 < problem.nbands; ++n1) count += problem.occ_array(n1) > 0 ? 1 : 0;
  return count;
}

std::string edges_of(const Problem& problem, const Box& box) {
  const int occupied = occupied_bands(problem);
  const double share = 1.0 * occupied / std::max(1, problem.nbands);
  const Point below{0, 20}, start = box.at(1, 1, 0) + Point{9, 7},
                            end = box.at(1, 1, 1) + Point{9, 7};
  const Point middle = start + share * box.n1;
  return text_at(box.at(0, 1, 0) + below,
                 fmt::format("ig: {} G, side by side in memory", problem.ncouls)) +
         fmt::format(
             "<text transform=\"translate({:.1f} {:.1f}) rotate(-90)\" fill=\"{}\">igp: {} "
             "G'</text>\n",
             box.at(0, 1, 0).x - 10, box.at(0, 1, 0).y, ink, problem.ngpown) +
         line_between(start, middle, "#7b2cbf", " stroke-width=\"6\"") +
         line_between(middle, end, grey, " stroke-width=\"3\"") +
         text_at(start + Point{24, 14}, fmt::format("n1: {} bands,", problem.nbands)) +
         text_at(start + Point{24, 31}, fmt::format("the first {} occupied", occupied),
                 " fill-opacity=\"1\" style=\"fill:#7b2cbf\"");
}

double largest(const Array2<const Complex>& array) {
  double high = 0;
  for (std::size_t i = 0; i < array.count(); ++i) high = std::max(high, norm(array.data[i]));
  return std::sqrt(high);
}

/// A square of the palette's darker shade, the name of the array and what it says.
std::string key(Point at, const Palette& palette, std::string_view name, std::string_view text,
                const Array2<const Complex>& array) {
  return fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"14\" height=\"14\" fill=\"{}\"/>\n",
                     at.x, at.y - 12, palette[5]) +
         text_at(at + Point{22, 0}, name, " font-weight=\"bold\"") +
         text_at(at + Point{22, 17}, text, small) +
         text_at(at + Point{22, 33},
                 fmt::format("{} x {} complex numbers, largest {:.2g}", array.rows, array.columns,
                             largest(array)),
                 small);
}

// ---- The pole -----------------------------------------------------------------------------------

/// One (ig, igp).
struct Place {
  int ig = 0;
  int igp = 0;
};

constexpr int first_frequency = 0;

/// The pole with the largest |I_eps| of those that some band comes as close to as branch 2.
Place pole_with_a_band(const Problem& problem) {
  Place found;
  double best = -1;
  for (int igp = 0; igp < problem.ngpown; ++igp)
    for (int ig = 0; ig < problem.ncouls; ++ig) {
      const double size = norm(problem.I_eps_array(ig, igp));
      if (size <= best) continue;
      const Complex wtilde = problem.wtilde_array(ig, igp);
      for (int n1 = 0; n1 < problem.nbands; ++n1)
        if (norm(problem.wx_array(first_frequency, n1) - wtilde) <= problem.limits.limittwo) {
          found = {ig, igp};
          best = size;
          break;
        }
    }
  return found;
}

/// Energy to the right, a number without unit upwards.
struct Axes {
  double left = -25, right = 20, low = -7, high = 7;
  Point corner{60, 40};
  double width = 620, height = 330;

  Point at(double x, double y) const {
    return {corner.x + width * (x - left) / (right - left),
            corner.y + height * (high - y) / (high - low)};
  }
  bool holds(double x, double y) const { return x >= left && x <= right && y >= low && y <= high; }
};

/// Real parts of one term, in units of I_eps, which is common to all bands.
struct Curves {
  Complex wtilde;
  Limits limits;

  double sch(double x) const { return divide(wtilde, Complex{1, 0}, x, limits).sch.re; }
  double ssx(double x) const { return divide(wtilde, Complex{1, 0}, x, limits).ssx.re; }
};

/// The curve in pieces: it is interrupted where it leaves the axes or jumps.
std::string drawn(const Axes& axes, const std::function<double(double)>& curve,
                  std::string_view colour) {
  constexpr int steps = 1800;
  std::string path;
  bool inside = false;
  double before = 0;
  for (int i = 0; i <= steps; ++i) {
    const double x = axes.left + (axes.right - axes.left) * i / steps;
    const double y = curve(x);
    const bool joined = inside && std::abs(y - before) < 1.5;
    inside = axes.holds(x, y);
    before = y;
    if (!inside) continue;
    const Point point = axes.at(x, y);
    path += fmt::format("{}{:.1f} {:.1f}", joined ? "L" : "M", point.x, point.y);
  }
  return fmt::format("<path fill=\"none\" stroke=\"{}\" stroke-width=\"2\" d=\"{}\"/>\n", colour,
                     path);
}

std::string frame_of(const Axes& axes) {
  std::string text = fmt::format(
      "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"none\" "
      "stroke=\"{}\"/>\n",
      axes.corner.x, axes.corner.y, axes.width, axes.height, grey);
  for (int x = -25; x <= 20; x += 5)
    text += text_at(axes.at(x, axes.low) + Point{0, 18}, fmt::format("{}", x),
                    " font-size=\"12\" text-anchor=\"middle\"");
  for (int y = -6; y <= 6; y += 2)
    text += text_at(axes.at(axes.left, y) + Point{-26, 4}, fmt::format("{}", y), small);
  return text + line_between(axes.at(axes.left, 0), axes.at(axes.right, 0), grey) +
         text_at({axes.corner.x + axes.width, axes.corner.y + axes.height + 38},
                 "x = wx: the energy asked for, less that of the band, eV",
                 " text-anchor=\"end\"") +
         text_at({axes.corner.x - 40, axes.corner.y - 14}, "in units of I_eps", small);
}

/// The strip where branch 2 holds, and the lines beyond which ssx is cut where x &lt; 0.
std::string limits_of(const Axes& axes, const Curves& curves) {
  const double half = std::sqrt(curves.limits.limittwo);
  const Point from = axes.at(curves.wtilde.re - half, axes.high);
  const Point to = axes.at(curves.wtilde.re + half, axes.low);
  std::string text = fmt::format(
      "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"#ffe8a3\"/>\n",
      from.x, from.y, to.x - from.x, to.y - from.y);
  for (const double sign : {-1.0, 1.0})
    text += line_between(axes.at(axes.left, sign * curves.limits.sexcut),
                         axes.at(0, sign * curves.limits.sexcut), grey, dotted);
  return text;
}

/// A dot on sch for every band, and on ssx for the occupied ones.
std::string bands_of(const Problem& problem, const Axes& axes, const Curves& curves) {
  const auto dot = [](Point at, std::string_view colour, std::string_view fill) {
    return fmt::format(
        "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.5\" stroke=\"{}\" fill=\"{}\"/>\n", at.x, at.y,
        colour, fill);
  };
  std::string text;
  for (int n1 = 0; n1 < problem.nbands; ++n1) {
    const double x = problem.wx_array(first_frequency, n1);
    const bool occupied = problem.occ_array(n1) > 0;
    if (axes.holds(x, curves.sch(x)))
      text += dot(axes.at(x, curves.sch(x)), "#1d4ed8", occupied ? "#1d4ed8" : "#ffffff");
    if (occupied && axes.holds(x, curves.ssx(x)))
      text += dot(axes.at(x, curves.ssx(x)), "#c2410c", "#c2410c");
  }
  return text;
}

int bands_left_of(const Problem& problem, double x) {
  int count = 0;
  for (int n1 = 0; n1 < problem.nbands; ++n1)
    count += problem.wx_array(first_frequency, n1) < x ? 1 : 0;
  return count;
}

std::string legend_of(const Problem& problem, const Axes& axes, const Curves& curves,
                      Complex I_eps) {
  const Point at = axes.corner + Point{14, 22};
  const auto bold = [](std::string_view colour) {
    return fmt::format(" font-weight=\"bold\" style=\"fill:{}\"", colour);
  };
  return text_at(at, "sch, for every band", bold("#1d4ed8")) +
         text_at(at + Point{0, 18}, "ssx, for occupied bands (filled dots)", bold("#c2410c")) +
         text_at(at + Point{0, 36}, "dotted: beyond it ssx is dropped where x &lt; 0", small) +
         text_at(axes.at(axes.left, axes.low) + Point{14, -12},
                 fmt::format("{} more bands lie left of here", bands_left_of(problem, axes.left)),
                 small) +
         text_at({axes.corner.x + axes.width, axes.corner.y - 8},
                 fmt::format("pole: wtilde = {:.2f} eV, |I_eps| = {:.2g}", curves.wtilde.re,
                             abs(I_eps)),
                 " text-anchor=\"end\"");
}

}  // namespace

std::string draw_loops(const Problem& problem) {
  const Box box;
  const Point side{495, 60};
  const Array2<const Complex>& I_eps = problem.I_eps_array;
  return opened(800, 500, "The three loops as a box, and the arrays on its faces") +
         drawn({box.at(0, 0, 0), box.ig, box.igp, 24, 24, blues}, I_eps) +
         drawn({box.at(0, 0, 0), box.ig, box.n1, 24, 16, oranges}, problem.aqsntemp) +
         drawn({box.at(1, 0, 0), box.igp, box.n1, 24, 16, greens}, problem.aqsmtemp_local) +
         edges_of(problem, box) + one_triple(box) +
         key(side, oranges, "top: aqsn(ig, n1)", "the band seen at G", problem.aqsntemp) +
         key(side + Point{0, 62}, greens, "right: aqsm(igp, n1)", "the band seen at G'",
             problem.aqsmtemp_local) +
         key(side + Point{0, 124}, blues, "front: I_eps(ig, igp)",
             "strength of a pole; wtilde has this shape", I_eps) +
         text_at(side + Point{0, 196}, "The red dot is one (n1, igp, ig).",
                 " style=\"fill:#d00000\" font-weight=\"bold\"") +
         text_at(side + Point{0, 214}, "It reads one number of each face,", small) +
         text_at(side + Point{0, 230}, "and wx, occ of its band, vcoul of its G',", small) +
         text_at(side + Point{0, 246},
                 fmt::format("for {} frequencies: {:.3g} terms in all.", problem.nfreq,
                             static_cast<double>(problem.terms())),
                 small) +
         text_at({70, 485}, "Darker is larger, by logarithm; a square stands for many numbers.",
                 small) +
         "</svg>\n";
}

std::string draw_pole(const Problem& problem) {
  const Place place = pole_with_a_band(problem);
  const Complex I_eps = problem.I_eps_array(place.ig, place.igp);
  const Curves curves{problem.wtilde_array(place.ig, place.igp), problem.limits};
  const Axes axes;
  return opened(720, 430, "One pole: sch and ssx over the energy, and where the bands lie") +
         limits_of(axes, curves) + frame_of(axes) +
         drawn(
             axes, [&curves](double x) { return curves.sch(x); }, "#1d4ed8") +
         drawn(
             axes, [&curves](double x) { return curves.ssx(x); }, "#c2410c") +
         bands_of(problem, axes, curves) + legend_of(problem, axes, curves, I_eps) + "</svg>\n";
}

std::vector<Picture> draw_pictures() {
  const PreparedProblem problem(read_gpp214(bundled_input()));
  return {{"three-loops.svg", draw_loops(problem.view())}, {"pole.svg", draw_pole(problem.view())}};
}

}  // namespace gpp
