// Memory charts as SVG: from the registers at the top to DRAM at the bottom, so that one layout
// does for a wide screen and for a phone's.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>

#include "roofline/base/terminal.h"
#include "roofline/view/memory_chart.h"
#include "roofline/view/style.h"
#include "roofline/view/svg.h"

namespace roofline {
namespace {

// Pixels.
constexpr double cell_width = 400, gap = 28, box_height = 44, row_height = 17, arrow_room = 18;
constexpr std::size_t cells_in_a_row = 4, columns_of_title = 40, columns_of_note = 62;

std::vector<std::string> lines_of(const std::string& text, std::size_t columns) {
  std::istringstream broken(wrapped(text, columns, 0));
  std::vector<std::string> lines;
  for (std::string line; std::getline(broken, line);) lines.push_back(line);
  return lines;
}

/// Draws one chart below and right of a place.
class MemoryRenderer {
 public:
  MemoryRenderer(const MemoryChart& chart, bool on_page) : chart_(chart), on_page_(on_page) {
    for (const MemoryFlow& flow : chart.flows) most_ = std::max(most_, flow.bytes);
  }

  /// The elements; `bottom` gets the place below them.
  std::string draw(double left, double top, double& bottom) {
    left_ = left;
    double y = top;
    for (const std::string& line : lines_of(chart_.name, columns_of_title))
      text({left, y += row_height}, line, 15, "ink", true);
    y += 11;
    box({left, y}, cell_width, "registers", "", "ink-soft");
    y = tier(y + box_height, nearest());
    for (const MemoryFlow& flow : chart_.flows)
      if (!flow.beside && &flow != nearest().front()) y = tier(y, {&flow});
    for (const std::string& note : chart_.notes)
      for (const std::string& line : lines_of(note, columns_of_note))
        text({left, y += row_height}, line, 12, "ink-soft");
    bottom = y + 8;
    return out_;
  }

 private:
  struct At {
    double x, y;
  };

  /// The levels that the arithmetic asks itself: the first on the way to DRAM, and those beside it.
  std::vector<const MemoryFlow*> nearest() const {
    std::vector<const MemoryFlow*> flows;
    for (const MemoryFlow& flow : chart_.flows)
      if (!flow.beside && flows.empty()) flows.push_back(&flow);
    for (const MemoryFlow& flow : chart_.flows)
      if (flow.beside) flows.push_back(&flow);
    return flows;
  }

  /// Boxes side by side with their arrows above them; the place below.
  double tier(double y, const std::vector<const MemoryFlow*>& flows) {
    std::size_t lines = 0;
    for (const MemoryFlow* flow : flows) lines = std::max(lines, flow->texts().size());
    const double length = arrow_room + row_height * static_cast<double>(lines);
    const double width = (cell_width - 16 * static_cast<double>(flows.size() - 1)) /
                         static_cast<double>(flows.size());
    for (std::size_t i = 0; i < flows.size(); ++i) {
      const At corner{left_ + (width + 16) * static_cast<double>(i), y};
      arrow(corner, length, *flows[i]);
      box({corner.x, y + length}, width, flows[i]->label, flows[i]->hit_text(), colour(*flows[i]));
    }
    return y + length + box_height;
  }

  static std::string colour(const MemoryFlow& flow) { return level_style(flow.level).colour; }

  std::string paint(const std::string& name) const {
    return on_page_ ? fmt::format("var(--{})", name) : colour_value(name);
  }

  void text(At at, const std::string& words, double size, const char* name, bool bold = false) {
    out_ += svg_element("text",
                        {{"x", svg_number(at.x)},
                         {"y", svg_number(at.y)},
                         {"font-size", svg_number(size)},
                         {"font-weight", bold ? "600" : ""},
                         {"fill", paint(name)}},
                        words);
  }

  void box(At at, double width, const std::string& label, const std::string& below,
           const std::string& name) {
    out_ += svg_element("rect", {{"x", svg_number(at.x + 1)},
                                 {"y", svg_number(at.y)},
                                 {"width", svg_number(width - 2)},
                                 {"height", svg_number(box_height)},
                                 {"rx", "4"},
                                 {"fill", paint("paper")},
                                 {"stroke", paint(name)},
                                 {"stroke-width", "2"}});
    text({at.x + 12, at.y + (below.empty() ? 27 : 19)}, label, 15, "ink", true);
    if (!below.empty()) text({at.x + 12, at.y + 36}, below, 12, "ink");
  }

  /// As thick as its bytes are among the most, with a head at each end: both directions together.
  void arrow(At at, double length, const MemoryFlow& flow) {
    const double half = most_ > 0 ? 0.75 + 5.25 * flow.bytes / most_ : 0.75, head = half + 4;
    const double x = at.x + 22, top = at.y + 3, bottom = at.y + length - 3;
    std::vector<At> rim = {{0, top},
                           {head, top + head},
                           {half, top + head},
                           {half, bottom - head},
                           {head, bottom - head},
                           {0, bottom}};
    for (int i = 4; i > 0; --i) rim.push_back({-rim[i].x, rim[i].y});
    std::string points;
    for (const At& corner : rim)
      points += fmt::format("{}{},{}", points.empty() ? "" : " ", svg_number(x + corner.x),
                            svg_number(corner.y));
    out_ += "<g>" + svg_element("title", {}, flow.meaning);
    out_ += svg_element("polygon", {{"points", points}, {"fill", paint(colour(flow))}});
    double y = at.y + arrow_room / 2 - 4;
    for (const std::string& words : flow.texts()) text({x + 18, y += row_height}, words, 13, "ink");
    out_ += "</g>\n";
  }

  const MemoryChart& chart_;
  bool on_page_;
  double most_ = 0, left_ = 0;
  std::string out_;
};

/// All that the picture tells, for those who cannot see it.
std::string description(const std::vector<MemoryChart>& charts) {
  std::string text;
  for (const MemoryChart& chart : charts)
    for (const MemoryFlow& flow : chart.flows)
      text += fmt::format("{}{}, {}: {}{}", text.empty() ? "" : "; ", chart.name, flow.label,
                          fmt::join(flow.texts(), ", "), flow.hit ? ", " + flow.hit_text() : "");
  return text;
}

}  // namespace

std::string memory_svg(const std::vector<MemoryChart>& charts, bool on_page) {
  const double margin = on_page ? 0 : 20;
  std::string body;
  double y = margin, right = 0;
  for (std::size_t i = 0; i < charts.size(); i += cells_in_a_row) {
    double bottom = y;
    for (std::size_t j = i; j < std::min(i + cells_in_a_row, charts.size()); ++j) {
      const double left = margin + (cell_width + gap) * static_cast<double>(j - i);
      double below = 0;
      body += MemoryRenderer(charts[j], on_page).draw(left, y, below);
      bottom = std::max(bottom, below);
      right = std::max(right, left + cell_width);
    }
    y = bottom + gap;
  }
  const std::string width = svg_number(right + margin), height = svg_number(y - gap + margin);
  return fmt::format(
             "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 "
             "{0} {1}\" font-family=\"{2}\" role=\"img\">\n<title>What moved between the levels of "
             "memory</title>\n<desc>{3}</desc>\n",
             width, height, svg_fonts, xml_text(description(charts))) +
         (on_page ? ""
                  : svg_element(
                        "rect",
                        {{"width", width}, {"height", height}, {"fill", colour_value("paper")}})) +
         body + "</svg>\n";
}

}  // namespace roofline
