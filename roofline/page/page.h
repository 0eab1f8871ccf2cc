// Assembles a page in one self-contained file.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "roofline/base/text.h"
#include "roofline/page/html.h"
#include "roofline/record/lines.h"
#include "roofline/view/roofline_chart.h"

namespace roofline {

std::span<const EmbeddedText> embedded_page();  ///< page.css and page.js

/// The page's light and dark colours as style sheets: those of charts (roofline/view/axes.h) and
/// its own.
std::string colour_styles();

namespace page {

struct Page {
  std::string title;   ///< of the document
  std::string kicker;  ///< a line above the heading
  std::string heading;
  Html masthead;  ///< below the heading
  Html scope;     ///< switches that stay in sight
  Html sections;
  std::string footer;
};

/// The page as HTML that is also well-formed XML, but for its first line, its style and its script.
/// It loads nothing. Without a script all is shown.
std::string page_html(const Page& page);

// ---- What the pages of both programs share

/// The choice of operations, levels, and theoretical roofs, as far as the charts differ in them.
/// `leading` is the model that is shown first.
Html roofline_switches(const std::vector<const RooflineChart*>& charts, const std::string& leading);

/// The section of instruction rooflines, whose points are called `what`.
Html instructions_section(const std::string& id, const std::string& what, const Html& blocks);

struct ShownLines {
  const LinesRecord* record = nullptr;
  std::string key;    ///< its key in the switch "source"; its heading's id is "source-KEY"
  std::string title;  ///< program and device
  Tags tags = {};
};

/// The sources of all records; the switch "source" shows one at a time.
Html source(const std::vector<ShownLines>& all);

}  // namespace page
}  // namespace roofline
