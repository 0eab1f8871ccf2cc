// Sources on a page, line by line with heat.
#pragma once

#include <string>
#include <vector>

#include "roofline/page/html.h"
#include "roofline/record/lines.h"

namespace roofline::page {

struct ShownLines {
  const LinesRecord* record = nullptr;
  std::string key;    ///< its key in the switch "source"
  std::string title;  ///< program and device
  std::string own;    ///< file to show first; may be ""
  Tags tags = {};
};

/// The sources of all records; the switch "source" shows one at a time.
Html source(const std::vector<ShownLines>& all);

/// The link to the hottest line, or "".
std::string hottest_line_link(const ShownLines& shown);

/// The section's title.
inline constexpr const char* source_title = "The source, line by line";

}  // namespace roofline::page
