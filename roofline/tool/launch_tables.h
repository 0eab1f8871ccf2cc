// How kernels are launched, and work that nobody counted, beside the counts. The terminal and the
// page show the same tables.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "roofline/tool/page_tables.h"

namespace roofline {

/// "4x2x1" of a grid or a block.
std::string extent_text(const std::array<std::int64_t, 3>& extent);

/// The form of a row's launches that took most time; there must be one.
const LaunchForm& form_of(const PartRow& row);

/// The form of each kernel's launches that took most time, and its occupancy; no rows where no form
/// is known.
ViewTable launches_table(const Profile& profile);

/// A row for each amount that was stated by a formula, with what was counted.
ViewTable stated_table(const Profile& profile);

}  // namespace roofline
