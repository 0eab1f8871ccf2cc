#include "roofline/view/svg.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <numbers>
#include <sstream>

#include "roofline/base/files.h"
#include "roofline/base/text.h"
#include "roofline/view/axes.h"

namespace roofline {
namespace {

using Attributes = std::vector<std::pair<const char*, std::string>>;

/// Positions in pixels from the upper left.
using Places = std::vector<Place>;

std::string points_text(const Places& places) {
  std::string text;
  for (const Place& place : places)
    text +=
        fmt::format("{}{},{}", text.empty() ? "" : " ", svg_number(place.x), svg_number(place.y));
  return text;
}

/// The corners of a mark of radius 1 that is no circle; all shapes have about the same area.
const Places& corners_of(Shape shape) {
  static const std::map<Shape, Places> corners = {
      {Shape::square, {{0.85, -0.85}, {0.85, 0.85}, {-0.85, 0.85}, {-0.85, -0.85}}},
      {Shape::triangle, {{0, -1.1}, {1.13, 0.85}, {-1.13, 0.85}}},
      {Shape::diamond, {{0, -1.2}, {1.2, 0}, {0, 1.2}, {-1.2, 0}}},
      {Shape::pentagon, {{0, -1.12}, {1.07, -0.35}, {0.66, 0.91}, {-0.66, 0.91}, {-1.07, -0.35}}},
      {Shape::triangle_down, {{0, 1.1}, {-1.13, -0.85}, {1.13, -0.85}}},
      {Shape::bar, {{-1, -0.2}, {1, -0.2}, {1, 0.2}, {-1, 0.2}}}};
  return corners.at(shape);
}

std::string dash_array(const std::string& dash) {
  if (dash == "dash") return "7 5";
  if (dash == "dot") return "2 3";
  return dash == "dashdot" ? "12 4 3 4" : "";
}

/// Draws for a file, in light colours, or for a page, in the page's colours and letters.
struct Pen {
  bool page;

  std::string paint(const std::string& colour) const {
    return page ? fmt::format("var(--{})", colour) : colour_value(colour);
  }

  std::string line(const Places& places, const std::string& colour, double width,
                   const std::string& dash = {}) const {
    return svg_element("polyline", {{"points", points_text(places)},
                                    {"fill", "none"},
                                    {"stroke", paint(colour)},
                                    {"stroke-width", svg_number(width)},
                                    {"stroke-dasharray", dash_array(dash)}});
  }

  std::string mark(Shape shape, const Place& at, double radius, bool hollow,
                   const std::string& colour) const {
    Attributes look = {{"fill", paint(hollow ? "paper" : colour)},
                       {"stroke", paint(hollow ? colour : "paper")},
                       {"stroke-width", hollow ? "1.8" : ""}};
    if (shape == Shape::circle) {
      for (const auto& [key, value] : {std::pair("cx", at.x), {"cy", at.y}, {"r", 0.92 * radius}})
        look.emplace_back(key, svg_number(value));
      return svg_element("circle", look);
    }
    Places places = corners_of(shape);
    for (Place& place : places) place = {at.x + radius * place.x, at.y + radius * place.y};
    look.emplace_back("points", points_text(places));
    return svg_element("polygon", look);
  }

  std::string sample(const ChartKey& entry, const Place& at) const {
    if (entry.shape) return mark(*entry.shape, {at.x + 7, at.y}, 6.2, entry.hollow, entry.colour);
    return line({at, {at.x + sample_width(entry), at.y}}, entry.colour, 2, entry.dash);
  }

  /// `anchor` is "middle", "end" or empty; `more` are further attributes.
  std::string text(const Place& at, const std::string& text, double size,
                   const std::string& colour = "ink", const char* anchor = "",
                   const Attributes& more = {}) const {
    Attributes look = {{"x", svg_number(at.x)},
                       {"y", svg_number(at.y)},
                       {"font-size", svg_number(size)},
                       {"text-anchor", anchor},
                       {"fill", paint(colour)}};
    look.insert(look.end(), more.begin(), more.end());
    return svg_element("text", look, text);
  }
};

/// Degrees against the clock around a place.
std::string turned(double angle, const Place& at) {
  if (angle == 0) return {};
  return fmt::format("rotate({} {} {})", svg_number(-angle), svg_number(at.x), svg_number(at.y));
}

class SvgRenderer {
 public:
  SvgRenderer(const Chart& chart, const std::string& id)
      : chart_(chart),
        pen_{!id.empty()},
        clip_(xml_text(pen_.page ? id + "-plot" : "plot")),
        axes_(chart, plot_of(chart.frame)),
        left_(axes_.plot.left),
        right_(axes_.plot.right),
        top_(chart.frame.top),
        bottom_(chart.frame.height - chart.frame.bottom) {}

  std::string text() {
    head();
    out_ += fmt::format(
        "<defs><clipPath id=\"{}\"><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>"
        "</clipPath></defs>\n",
        clip_, svg_number(left_), svg_number(top_), svg_number(right_ - left_),
        svg_number(bottom_ - top_));
    axes();
    out_ += fmt::format("<g clip-path=\"url(#{})\">\n", clip_);
    for (const ChartBox& box : chart_.boxes) add(box, drawn(box));
    for (const ChartLine& line : chart_.lines) add(line, drawn(line));
    out_ += "</g>\n";
    for (const ChartLabel& label : chart_.labels) add({.tags = label.tags}, leader(label));
    for (const ChartMark& mark : chart_.marks)
      add(mark, pen_.mark(mark.shape, at(mark.at), mark_radius, mark.hollow, mark.colour));
    for (const ChartLabel& label : chart_.labels) add({.tags = label.tags}, drawn(label));
    if (!pen_.page) words();
    return out_ + "</svg>\n";
  }

 private:
  Place at(const ChartPoint& point) const {
    return {axes_.x(point.x), chart_.frame.height - axes_.y(point.y)};
  }
  Place middle(const ChartLabel& label) const {
    const Place from = at(label.at);
    return {from.x + label.dx, from.y - label.dy};
  }

  /// A page writes title and key itself: it has the part below them.
  void head() {
    const double above = pen_.page ? std::max(top_ - 24, 0.0) : 0;
    const double width = chart_.frame.width + (pen_.page ? 24 : 0);  // a page's letters are wider
    out_ = fmt::format("<svg viewBox=\"0 {} {} {}\" role=\"img\" aria-label=\"{}\"",
                       svg_number(above), svg_number(width),
                       svg_number(chart_.frame.height - above), xml_text(chart_.description));
    if (pen_.page) {
      out_ += ">\n";
      return;
    }
    out_ += fmt::format(
        " xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
        "font-family=\"Helvetica, Arial, 'Liberation Sans', sans-serif\">\n<title>{2}</title>\n"
        "<rect width=\"{0}\" height=\"{1}\" fill=\"{3}\"/>\n",
        svg_number(width), svg_number(chart_.frame.height), xml_text(chart_.title),
        pen_.paint("paper"));
  }

  /// Draws the axes with a line across the plot for each value, and names of the ticks.
  void axes() {
    for (const Tick& tick : chart_.x.ticks) {
      const double x = axes_.x(tick.at);
      if (!chart_.x.categories) out_ += pen_.line({{x, top_}, {x, bottom_ + 6}}, "grid", 1);
      double y = bottom_ + 22;
      std::istringstream words(tick.text);
      for (std::string line; std::getline(words, line); y += 17)
        out_ += pen_.text({x, y}, line, 13, "ink", "middle");
    }
    for (const Tick& tick : chart_.y.ticks) {
      const double y = at({0, tick.at}).y;
      if (!chart_.y.categories) out_ += pen_.line({{left_ - 6, y}, {right_, y}}, "grid", 1);
      out_ += pen_.text({left_ - 10, y + 5}, tick.text, 14, "ink", "end");
    }
    out_ += pen_.line({{left_, top_}, {left_, bottom_}, {right_, bottom_}}, "ink-soft", 1);
    if (!chart_.x.title.empty())
      out_ += pen_.text({(left_ + right_) / 2, bottom_ + 50}, chart_.x.title, 15, "ink", "middle");
    const Place up{22, (top_ + bottom_) / 2};
    if (!chart_.y.title.empty())
      out_ += pen_.text(up, chart_.y.title, 15, "ink", "middle", {{"transform", turned(90, up)}});
  }

  /// Draws the key, the title and the subtitle above the plot, and notes below it.
  void words() {
    const std::vector<KeyPlace> places = key_places(chart_);
    for (std::size_t i = 0; i < places.size(); ++i) {
      const ChartKey& entry = chart_.key[i];
      const Place from{places[i].x,
                       top_ - 18 - key_row_height * (places.back().row - places[i].row)};
      out_ += pen_.sample(entry, from);
      out_ += pen_.text({from.x + sample_width(entry) + 5, from.y + 5}, entry.text, key_font_size);
    }
    out_ += pen_.text({left_, 36}, chart_.title, 22);
    out_ += pen_.text({left_, 61}, chart_.subtitle, 14, "ink-soft");
    out_ += pen_.text({left_, chart_.frame.height - 14},
                      fmt::format("{}", fmt::join(chart_.notes, "; ")), 12, "ink-soft");
  }

  /// Adds an item with its tooltip and the tags by which a page's switches hide it.
  void add(const ChartItem& item, std::string svg) {
    const std::string tags = tags_text(item.tags);
    if (svg.empty() || (tags.empty() && item.headline.empty())) {
      out_ += svg;
      return;
    }
    std::string tooltip = item.headline;
    for (const auto& [name, value] : item.facts)
      tooltip += "\n" + name + (name.empty() || value.empty() ? "" : ": ") + value;
    svg.pop_back();
    out_ += fmt::format("<g{}>{}{}</g>\n",
                        tags.empty() ? "" : fmt::format(" data-on=\"{}\"", xml_text(tags)),
                        tooltip.empty() ? "" : "<title>" + xml_lines(tooltip) + "</title>", svg);
  }

  /// Leader lines are below the marks and lead to the nearest edge of the label.
  std::string leader(const ChartLabel& label) const {
    if (!label.led) return {};
    const Place from = at(label.at), to = middle(label);
    const double across = text_width(label.text, label_font_size) / 2, up = label_font_size / 2;
    return pen_.line({from,
                      {std::clamp(from.x, to.x - across, to.x + across),
                       std::clamp(from.y, to.y - up, to.y + up)}},
                     "ink-soft", 0.7);
  }

  std::string drawn(const ChartBox& box) const {
    const Place from = at({box.left, box.top}), to = at({box.right, box.bottom});
    return svg_element("rect", {{"x", svg_number(from.x)},
                                {"y", svg_number(from.y)},
                                {"width", svg_number(to.x - from.x)},
                                {"height", svg_number(std::max(to.y - from.y, 0.0))},
                                {"fill", pen_.paint(box.colour)}});
  }

  std::string drawn(const ChartLine& line) const {
    Places places;
    for (const ChartPoint& point : line.points) places.push_back(at(point));
    return pen_.line(places, line.colour, line.width, line.dash);
  }

  /// A border in the paper's colour separates a label from lines.
  std::string drawn(const ChartLabel& label) const {
    const double turn = label.angle * std::numbers::pi / 180, down = 0.36 * label_font_size;
    Place place = middle(label);
    place = {place.x + down * std::sin(turn), place.y + down * std::cos(turn)};
    return pen_.text(place, label.text, label_font_size, label.colour, "middle",
                     {{"transform", turned(label.angle, place)},
                      {"stroke", pen_.paint("paper")},
                      {"stroke-width", "3"},
                      {"stroke-linejoin", "round"},
                      {"paint-order", "stroke"}});
  }

  const Chart& chart_;
  Pen pen_;
  std::string clip_;  ///< the id of the plot's area
  Axes axes_;
  double left_, right_, top_, bottom_;  ///< of the plot
  std::string out_;
};

}  // namespace

std::string xml_text(std::string_view text) { return xml_lines(visible(text)); }

std::string xml_lines(std::string_view text) {
  return replaced(visible_lines(text),
                  {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}});
}

std::string svg_number(double value) {
  std::string text = fmt::format("{:.1f}", std::isfinite(value) ? value : 0.0);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text == "-0" ? "0" : text;
}

std::string svg_element(const char* name, const Attributes& attributes, std::string_view content) {
  std::string text = fmt::format("<{}", name);
  for (const auto& [key, value] : attributes)
    if (!value.empty()) text += fmt::format(" {}=\"{}\"", key, xml_text(value));
  if (content.empty()) return text + "/>\n";
  return text + fmt::format(">{}</{}>\n", xml_text(content), name);
}

std::string svg_text(const Chart& chart) { return SvgRenderer(chart, "").text(); }

std::string svg_in_page(const Chart& chart, const std::string& id) {
  return SvgRenderer(chart, id).text();
}

std::string svg_sample(const ChartKey& entry) {
  return fmt::format("<svg width=\"{}\" height=\"14\" aria-hidden=\"true\">{}</svg>",
                     sample_width(entry), Pen{true}.sample(entry, {0, 7}));
}

std::string file_stem(std::string_view text) {
  std::string stem(text);
  for (char& c : stem) {
    const auto letter = static_cast<unsigned char>(c);
    if (letter >= 0x80 || (!std::isalnum(letter) && c != '.' && c != '-' && c != '_')) c = '_';
  }
  return stem;
}

WrittenCharts write_charts(const std::filesystem::path& folder, const std::vector<Chart>& charts) {
  WrittenCharts written;
  try {
    for (const Chart& chart : charts) {
      write_whole(folder / (chart.name + ".svg"), svg_text(chart));
      written.note += (written.note.empty() ? "Charts: " : " ") + chart.name + ".svg";
    }
  } catch (const std::exception& error) {
    written = {fmt::format("Charts: not written: {}", error.what()), false};
  }
  return written;
}

void add_charts(nlohmann::ordered_json& json, const std::vector<Chart>& charts) {
  json["charts"] = nlohmann::ordered_json::array();
  for (const Chart& chart : charts)
    json["charts"].push_back(
        {{"name", chart.name}, {"title", chart.title}, {"svg", svg_text(chart)}});
}

}  // namespace roofline
