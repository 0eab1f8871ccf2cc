// What the pages of both programs share: switches of rooflines, words on instruction rooflines, and
// sources line by line with heat.
#pragma once

#include <string>
#include <vector>

#include "roofline/page/html.h"
#include "roofline/record/lines.h"
#include "roofline/view/roofline_chart.h"

namespace roofline::page {

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

}  // namespace roofline::page
