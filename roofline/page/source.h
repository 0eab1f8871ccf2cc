// Sources on a page, line by line with heat.
#pragma once

#include <string>
#include <vector>

#include "roofline/page/html.h"
#include "roofline/record/lines.h"

namespace roofline::page {

struct ShownLines {
  const LinesRecord* record = nullptr;
  std::string key;    ///< its key in the switch "source"; its heading's id is "source-KEY"
  std::string title;  ///< program and device
  Tags tags = {};
};

/// The sources of all records; the switch "source" shows one at a time.
Html source(const std::vector<ShownLines>& all);

}  // namespace roofline::page
