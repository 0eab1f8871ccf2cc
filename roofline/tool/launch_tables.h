// Tables on launch parameters, and on uncounted work beside counts, for the terminal and the page.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "roofline/tool/page_tables.h"

namespace roofline {

/// Returns a grid's or block's size: "4x2x1".
std::string extent_text(const std::array<std::int64_t, 3>& extent);

/// The longest form of a row's launches; there must be at least one.
const LaunchForm& form_of(const PartRow& row);

/// The longest form of each kernel's launches, with its occupancy; no rows if no form is known.
ViewTable launches_table(const Profile& profile);

/// A row for each amount from a formula, with the counted one.
ViewTable stated_table(const Profile& profile);

}  // namespace roofline
