// Sources on a page, line by line, with the heat of each line: what source.js shows.
#pragma once

#include <string>
#include <vector>

#include "roofline/page/model.h"
#include "roofline/record/lines.h"

namespace roofline::page {

struct ShownLines {
  const LinesRecord* record = nullptr;
  std::string key;    ///< its choice of the switch "source"
  std::string title;  ///< what ran, and where
  std::string own;    ///< the file that comes first; may be empty
  Tags tags = {};
};

/// The block; one record is shown at a time.
Json source(const std::vector<ShownLines>& all);

/// Where a link to the hottest line leads; empty where there is none.
std::string hottest_line_link(const ShownLines& shown);

/// The section's title.
inline constexpr const char* source_title = "The source, line by line";

}  // namespace roofline::page
