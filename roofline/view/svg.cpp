#include "roofline/view/svg.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <sstream>

#include "roofline/base/text.h"
#include "roofline/base/visible.h"
#include "roofline/view/axes.h"
#include "roofline/view/labels.h"
#include "roofline/view/style.h"

namespace roofline {
namespace {

using Attributes = std::vector<std::pair<const char*, std::string>>;

constexpr const char* svg_fonts = "Helvetica, Arial, 'Liberation Sans', sans-serif";
constexpr double key_font_size = 14, key_row_height = 22;

/// Formats positions in pixels from the upper left.
std::string points_text(const std::vector<Place>& places) {
  std::string text;
  for (const Place& place : places)
    text +=
        fmt::format("{}{},{}", text.empty() ? "" : " ", svg_number(place.x), svg_number(place.y));
  return text;
}

/// Corners around the centre, starting straight up plus `turn` degrees.
std::vector<Place> corners(Place middle, double radius, int count, double turn = 0) {
  std::vector<Place> places;
  for (int i = 0; i < count; ++i) {
    const double angle = (turn + 360.0 * i / count) * std::numbers::pi / 180;
    places.push_back({middle.x + radius * std::sin(angle), middle.y - radius * std::cos(angle)});
  }
  return places;
}

/// The outline of a mark; all shapes have about the same area.
std::string mark_outline(Shape shape, Place at, double radius, Attributes paint) {
  const auto polygon = [&paint](const std::vector<Place>& places) {
    paint.insert(paint.begin(), {"points", points_text(places)});
    return svg_element("polygon", paint);
  };
  switch (shape) {
    case Shape::circle:
      paint.insert(
          paint.begin(),
          {{"cx", svg_number(at.x)}, {"cy", svg_number(at.y)}, {"r", svg_number(0.92 * radius)}});
      return svg_element("circle", paint);
    case Shape::square:
      return polygon(corners(at, 1.2 * radius, 4, 45));
    case Shape::diamond:
      return polygon(corners(at, 1.2 * radius, 4));
    case Shape::triangle:
      return polygon(corners({at.x, at.y + 0.2 * radius}, 1.3 * radius, 3));
    case Shape::triangle_down:
      return polygon(corners({at.x, at.y - 0.2 * radius}, 1.3 * radius, 3, 180));
    case Shape::pentagon:
      return polygon(corners(at, 1.12 * radius, 5));
    case Shape::cross: {
      const double in = 0.35 * radius, out = radius;
      return polygon({{at.x - in, at.y - out},
                      {at.x + in, at.y - out},
                      {at.x + in, at.y - in},
                      {at.x + out, at.y - in},
                      {at.x + out, at.y + in},
                      {at.x + in, at.y + in},
                      {at.x + in, at.y + out},
                      {at.x - in, at.y + out},
                      {at.x - in, at.y + in},
                      {at.x - out, at.y + in},
                      {at.x - out, at.y - in},
                      {at.x - in, at.y - in}});
    }
    case Shape::bar:
      return polygon({{at.x - radius, at.y - 1.2},
                      {at.x + radius, at.y - 1.2},
                      {at.x + radius, at.y + 1.2},
                      {at.x - radius, at.y + 1.2}});
  }
  return {};
}

/// Where a picture is shown: in a file of its own, or in a page with its colours and letters.
enum class Medium { file, page };

std::string paint(const std::string& colour, Medium medium) {
  return medium == Medium::file ? colour_value(colour) : fmt::format("var(--{})", colour);
}

std::string mark_text(Shape shape, Place at, double radius, bool hollow, const std::string& name,
                      Medium medium) {
  const std::string paper = paint("paper", medium), colour = paint(name, medium);
  if (hollow)
    return mark_outline(shape, at, radius - 0.9,
                        {{"fill", paper}, {"stroke", colour}, {"stroke-width", "1.8"}});
  return mark_outline(shape, at, radius, {{"fill", colour}, {"stroke", paper}});
}

std::string dash_array(const std::string& dash) {
  if (dash == "dash") return "7 5";
  if (dash == "dot") return "2 3";
  if (dash == "dashdot") return "12 4 3 4";
  return {};
}

struct TextLook {
  double size = 15;
  std::string colour = "ink";
  const char* anchor = "";  ///< "middle", "end"
  double angle = 0;
  bool rimmed = false;  ///< a border in the paper's colour separates it from lines
  bool bold = false;
};

std::string text_at(Place at, const std::string& text, const TextLook& look, Medium medium) {
  const std::string x = svg_number(at.x), y = svg_number(at.y);
  const bool styled = medium == Medium::page, rim = look.rimmed && !styled;
  return svg_element(
      "text",
      {{"x", x},
       {"y", y},
       {"font-size", svg_number(look.size)},
       {"font-weight", look.bold ? "600" : ""},
       {"class", look.rimmed && styled ? "rimmed" : ""},
       {"fill", styled && look.colour == "ink" ? "" : paint(look.colour, medium)},
       {"text-anchor", look.anchor},
       {"transform",
        look.angle == 0 ? "" : fmt::format("rotate({} {} {})", svg_number(-look.angle), x, y)},
       {"stroke", rim ? colour_value("paper") : ""},
       {"stroke-width", rim ? "3" : ""},
       {"stroke-linejoin", rim ? "round" : ""},
       {"paint-order", rim ? "stroke" : ""}},
      text);
}

std::string line_at(Place from, Place to, const std::string& colour, double width, Medium medium,
                    const std::string& dash = {}) {
  return svg_element("line", {{"x1", svg_number(from.x)},
                              {"y1", svg_number(from.y)},
                              {"x2", svg_number(to.x)},
                              {"y2", svg_number(to.y)},
                              {"stroke", paint(colour, medium)},
                              {"stroke-width", svg_number(width)},
                              {"stroke-dasharray", dash_array(dash)}});
}

struct KeyPlace {
  double x;
  int row;  ///< 0 is the top row
};

double sample_width(const ChartKey& entry) { return entry.shape ? 14 : 32; }

std::vector<KeyPlace> key_places(const Chart& chart) {
  std::vector<KeyPlace> places;
  double x = chart.frame.left;
  int row = 0;
  for (const ChartKey& entry : chart.key) {
    const double width = sample_width(entry) + 5 + text_width(entry.text, key_font_size);
    if (x > chart.frame.left && x + width > chart.frame.width - 10) {
      x = chart.frame.left;
      ++row;
    }
    places.push_back({x, row});
    x += width + 18;
  }
  return places;
}

class SvgRenderer {
 public:
  explicit SvgRenderer(const Chart& chart, std::string id = {})
      : chart_(chart),
        medium_(id.empty() ? Medium::file : Medium::page),
        clip_(id.empty() ? "plot" : id + "-plot"),
        axes_(chart, plot_of(chart.frame)),
        height_(chart.frame.height) {}

  std::string text() {
    grid();
    out_ += fmt::format("<g clip-path=\"url(#{})\">\n", xml_text(clip_));
    for (const ChartBox& box : chart_.boxes) add(box, drawn(box));
    for (const ChartLine& line : chart_.lines) add(line, drawn(line));
    out_ += "</g>\n";
    for (const ChartLabel& label : chart_.labels) add(label, leader(label));
    for (const ChartMark& mark : chart_.marks) add(mark, drawn(mark));
    for (const ChartLabel& label : chart_.labels) add(label, drawn(label));
    borders();
    if (medium_ == Medium::page) return page_head() + out_ + "</svg>\n";
    key();
    titles();
    return head() + out_ + "</svg>\n";
  }

 private:
  Place at(const ChartPoint& point) const { return {axes_.x(point.x), height_ - axes_.y(point.y)}; }
  double top() const { return height_ - axes_.plot.top; }
  double bottom() const { return height_ - axes_.plot.bottom; }
  std::string head() const;
  std::string page_head() const;
  std::string clip_path() const;
  std::string path_of(const std::vector<std::pair<Place, Place>>& lines,
                      const std::string& colour) const;
  void grid();
  void borders();
  void key();
  void titles();
  template <class Item>
  void add(const Item& item, const std::string& svg);
  std::string leader(const ChartLabel& label) const;
  std::string drawn(const ChartBox& box) const;
  std::string drawn(const ChartLine& line) const;
  std::string drawn(const ChartMark& mark) const;
  std::string drawn(const ChartLabel& label) const;
  std::string line(Place from, Place to, const std::string& colour, double width,
                   const std::string& dash = {}) const {
    return line_at(from, to, colour, width, medium_, dash);
  }
  std::string write(Place at, const std::string& text, const TextLook& look) const {
    return text_at(at, text, look, medium_);
  }
  Place middle(const ChartLabel& label) const {
    const Place from = at(label.at);
    return {from.x + label.dx, from.y - label.dy};
  }

  const Chart& chart_;
  Medium medium_;
  std::string clip_;  ///< the id of the plot's area
  Axes axes_;
  double height_;
  std::string out_;
};

/// The lines of a tooltip; empty without a headline.
template <class Item>
std::string tooltip_of(const Item& item) {
  std::string text = xml_text(item.headline);
  for (const auto& [name, value] : item.facts)
    text += "\n" + xml_text(name.empty() || value.empty() ? name + value : name + ": " + value);
  return text.empty() ? "" : "<title>" + text + "</title>";
}
std::string tooltip_of(const ChartLabel&) { return {}; }

/// Adds an item; on a page, with its tooltip and the tags by which switches hide it.
template <class Item>
void SvgRenderer::add(const Item& item, const std::string& svg) {
  const std::string tags = tags_text(item.tags), tooltip = tooltip_of(item);
  if (medium_ == Medium::file || svg.empty() || (tags.empty() && tooltip.empty()))
    out_ += svg;
  else
    out_ += fmt::format("<g{}>{}{}</g>\n",
                        tags.empty() ? "" : fmt::format(" data-on=\"{}\"", xml_text(tags)), tooltip,
                        svg.substr(0, svg.find_last_not_of('\n') + 1));
}

std::string SvgRenderer::path_of(const std::vector<std::pair<Place, Place>>& lines,
                                 const std::string& colour) const {
  std::string path;
  for (const auto& [from, to] : lines)
    path += fmt::format("M{} {}L{} {}", svg_number(from.x), svg_number(from.y), svg_number(to.x),
                        svg_number(to.y));
  return svg_element("path", {{"d", path}, {"stroke", paint(colour, medium_)}});
}

std::string SvgRenderer::clip_path() const {
  const Box& plot = axes_.plot;
  return fmt::format(
      "<defs><clipPath id=\"{}\"><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>"
      "</clipPath></defs>\n",
      xml_text(clip_), svg_number(plot.left), svg_number(top()), svg_number(plot.width()),
      svg_number(plot.height()));
}

/// The part below the title and the key, and above the notes.
std::string SvgRenderer::page_head() const {
  std::ptrdiff_t lines = 1;  // of the longest name below the axis
  for (const Tick& tick : chart_.x.ticks)
    lines = std::max(lines, 1 + std::ranges::count(tick.text, '\n'));
  const double used = chart_.x.title.empty() ? 14 + 17 * static_cast<double>(lines) : 60;
  const double above = std::max(top() - 24, 0.0), below = std::max(height_ - bottom() - used, 0.0);
  const double width = chart_.frame.width + 24;  // letters of a page may be wider
  return fmt::format("<svg viewBox=\"0 {} {} {}\" role=\"img\" aria-label=\"{}\">\n{}",
                     svg_number(above), svg_number(width), svg_number(height_ - above - below),
                     xml_text(chart_.description.empty() ? chart_.title : chart_.description),
                     clip_path());
}

std::string SvgRenderer::head() const {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} "
      "{1}\" font-family=\"{2}\" role=\"img\">\n<title>{3}</title>\n<desc>{4}</desc>\n{5}"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"{6}\"/>\n",
      svg_number(chart_.frame.width), svg_number(height_), svg_fonts, xml_text(chart_.title),
      xml_text(chart_.description), clip_path(), colour_value("paper"));
}

void SvgRenderer::grid() {
  const Box& plot = axes_.plot;
  std::vector<std::pair<Place, Place>> lines;
  for (const Tick& tick : chart_.x.ticks)
    if (!tick.text.empty() && !chart_.x.categories)
      lines.push_back({{axes_.x(tick.at), top()}, {axes_.x(tick.at), bottom()}});
  for (const Tick& tick : chart_.y.ticks)
    if (!tick.text.empty() && !chart_.y.categories)
      lines.push_back(
          {{plot.left, height_ - axes_.y(tick.at)}, {plot.right, height_ - axes_.y(tick.at)}});
  out_ += path_of(lines, "grid");
}

/// Draws the axes with their ticks, above other items.
void SvgRenderer::borders() {
  const Box& plot = axes_.plot;
  std::vector<std::pair<Place, Place>> lines = {{{plot.left, top()}, {plot.left, bottom()}},
                                                {{plot.left, bottom()}, {plot.right, bottom()}}};
  for (const Tick& tick : chart_.x.ticks) {
    const double x = axes_.x(tick.at), length = tick.text.empty() ? 3 : 6;
    if (!chart_.x.categories) lines.push_back({{x, bottom()}, {x, bottom() + length}});
    std::istringstream words(tick.text);
    double y = bottom() + 22;
    for (std::string line; std::getline(words, line); y += 17)
      out_ += write({x, y}, line, {y > bottom() + 22 ? 13.0 : 14.0, "ink", "middle"});
  }
  for (const Tick& tick : chart_.y.ticks) {
    const double y = height_ - axes_.y(tick.at), length = tick.text.empty() ? 3 : 6;
    if (!chart_.y.categories) lines.push_back({{plot.left - length, y}, {plot.left, y}});
    if (!tick.text.empty()) out_ += write({plot.left - 10, y + 5}, tick.text, {14, "ink", "end"});
  }
  out_ += path_of(lines, "ink-soft");
  if (!chart_.x.title.empty())
    out_ +=
        write({(plot.left + plot.right) / 2, bottom() + 50}, chart_.x.title, {15, "ink", "middle"});
  if (!chart_.y.title.empty())
    out_ += write({22, (top() + bottom()) / 2}, chart_.y.title, {15, "ink", "middle", 90});
}

void SvgRenderer::key() {
  const std::vector<KeyPlace> places = key_places(chart_);
  for (std::size_t i = 0; i < places.size(); ++i) {
    const ChartKey& entry = chart_.key[i];
    const double x = places[i].x;
    const double y = top() - 18 - key_row_height * (places.back().row - places[i].row);
    if (entry.shape)
      out_ += mark_text(*entry.shape, {x + 7, y}, 6.2, entry.hollow, entry.colour, medium_);
    else
      out_ += line({x, y}, {x + sample_width(entry), y}, entry.colour, 2, entry.dash);
    out_ += write({x + sample_width(entry) + 5, y + 5}, entry.text, {key_font_size});
  }
}

/// Draws the title, the subtitle, and notes below the axes.
void SvgRenderer::titles() {
  const double left = axes_.plot.left;
  out_ += write({left, 36}, chart_.title, {22, "ink", "", 0, false, true});
  out_ += write({left, 61}, chart_.subtitle, {14, "ink-soft"});
  if (!chart_.notes.empty())
    out_ += write({left, height_ - 14}, fmt::format("{}", fmt::join(chart_.notes, "; ")),
                  {12, "ink-soft"});
}

std::string SvgRenderer::drawn(const ChartBox& box) const {
  const Place low = at({box.left, box.bottom}), high = at({box.right, box.top});
  return svg_element("rect", {{"x", svg_number(std::min(low.x, high.x))},
                              {"y", svg_number(std::min(low.y, high.y))},
                              {"width", svg_number(std::abs(high.x - low.x))},
                              {"height", svg_number(std::abs(low.y - high.y))},
                              {"fill", paint(box.colour, medium_)}});
}

std::string SvgRenderer::drawn(const ChartLine& line) const {
  std::vector<Place> places;
  for (const ChartPoint& point : line.points) places.push_back(at(point));
  if (places.size() < 2) return {};
  const Place &from = places[places.size() - 2], &to = places.back();
  const double length = std::hypot(to.x - from.x, to.y - from.y);
  if (line.between_marks) {  // between borders; nothing if marks touch
    const double rim = mark_radius + 1.5;
    if (places.size() > 2 || length < 2 * rim + 5) return {};
    const double dx = (to.x - from.x) * rim / length, dy = (to.y - from.y) * rim / length;
    places = {{from.x + dx, from.y + dy}, {to.x - dx, to.y - dy}};
  }
  const std::string colour = paint(line.colour, medium_);
  std::string head;
  const char* faint = line.arrow ? "0.6" : "";
  const Place end = places.back();
  if (line.arrow) {
    const double size = std::min(9.0, length / 2), ux = (to.x - from.x) / length,
                 uy = (to.y - from.y) / length;
    const Place foot{end.x - size * ux, end.y - size * uy};
    head = svg_element(
        "polygon", {{"points", points_text({end,
                                            {foot.x - 0.4 * size * uy, foot.y + 0.4 * size * ux},
                                            {foot.x + 0.4 * size * uy, foot.y - 0.4 * size * ux}})},
                    {"fill", colour},
                    {"opacity", faint}});
    places.back() = foot;
  }
  return head + svg_element("polyline", {{"points", points_text(places)},
                                         {"fill", "none"},
                                         {"stroke", colour},
                                         {"stroke-width", svg_number(line.width)},
                                         {"stroke-dasharray", dash_array(line.dash)},
                                         {"opacity", faint}});
}

std::string SvgRenderer::drawn(const ChartMark& mark) const {
  const Place place = at(mark.at);
  std::string bar;
  if (mark.low && mark.high) {
    const double low = at({mark.at.x, *mark.low}).y, high = at({mark.at.x, *mark.high}).y;
    bar = line({place.x, low}, {place.x, high}, mark.colour, 1.2);
    for (const double y : {low, high})
      bar += line({place.x - 5, y}, {place.x + 5, y}, mark.colour, 1.2);
  }
  return bar + mark_text(mark.shape, place, mark_radius * (mark.small ? 0.75 : 1), mark.hollow,
                         mark.colour, medium_);
}

/// Leader lines are below the marks and lead to the nearest edge of the label.
std::string SvgRenderer::leader(const ChartLabel& label) const {
  if (!label.led) return {};
  const Place from = at(label.at), to = middle(label);
  if (label.outside) return line(from, {to.x - 4, to.y}, "roof-soft", 0.7);
  const double size = label.small ? small_font_size : label_font_size;
  const double half_width = text_width(label.text, size) / 2, half_height = size / 2;
  return line(from,
              {std::clamp(from.x, to.x - half_width, to.x + half_width),
               std::clamp(from.y, to.y - half_height, to.y + half_height)},
              "ink-soft", 0.7);
}

std::string SvgRenderer::drawn(const ChartLabel& label) const {
  const double size = label.small ? small_font_size : label_font_size;
  const double turn = label.angle * std::numbers::pi / 180, down = 0.36 * size;
  const Place place = middle(label);
  return write({place.x + down * std::sin(turn), place.y + down * std::cos(turn)}, label.text,
               {size, label.colour, label.outside ? "" : "middle", label.angle, true});
}

}  // namespace

std::string xml_text(std::string_view text) { return xml_lines(visible(text)); }

std::string xml_lines(std::string_view text) {
  return replaced(visible_lines(text),
                  {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}});
}

std::string svg_number(double value) {
  std::string text = fmt::format("{:.1f}", std::isfinite(value) ? value : 0.0);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string svg_element(const char* name, const Attributes& attributes, std::string_view content) {
  std::string text = fmt::format("<{}", name);
  for (const auto& [key, value] : attributes)
    if (!value.empty()) text += fmt::format(" {}=\"{}\"", key, xml_text(value));
  if (content.empty()) return text + "/>\n";
  return text + fmt::format(">{}</{}>\n", xml_text(content), name);
}

ChartFrame with_room_for_key(const Chart& chart) {
  ChartFrame frame = chart.frame;
  if (!chart.key.empty()) frame.top += key_row_height * key_places(chart).back().row;
  return frame;
}

std::string svg_text(const Chart& chart) { return SvgRenderer(chart).text(); }

std::string svg_in_page(const Chart& chart, const std::string& id) {
  return SvgRenderer(chart, id).text();
}

std::string svg_sample(const ChartKey& entry) {
  const double width = sample_width(entry);
  const std::string drawn =
      entry.shape ? mark_text(*entry.shape, {7, 7}, 6.2, entry.hollow, entry.colour, Medium::page)
                  : line_at({0, 7}, {width, 7}, entry.colour, 2, Medium::page, entry.dash);
  return fmt::format("<svg width=\"{0}\" height=\"14\" aria-hidden=\"true\">{1}</svg>", width,
                     drawn);
}

}  // namespace roofline
