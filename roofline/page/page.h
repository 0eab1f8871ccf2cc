// Assembles a page in one self-contained file.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "roofline/base/embedded.h"
#include "roofline/page/html.h"

namespace roofline {

std::span<const EmbeddedText> embedded_page();  ///< page.css and page.js

/// The page's light and dark colours as style sheets: those of charts (roofline/view/style.h) and
/// its own.
std::string colour_styles();

namespace page {

/// What is shown at a time.
struct Part {
  std::string name, heading;
  Html masthead;  ///< below the heading
  Html scope;     ///< switches that stay in sight
  Html sections;
};

struct Page {
  std::string title;   ///< of the document
  std::string kicker;  ///< a line above the heading
  std::vector<Part> parts;
  std::string footer;
};

/// The page as HTML that is also well-formed XML, but for its first line, its style and its script.
/// It loads nothing. Without a script all is shown.
std::string page_html(const Page& page);

}  // namespace page
}  // namespace roofline
