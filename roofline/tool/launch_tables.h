// Tables on launch parameters, and on uncounted work beside counts, for the terminal and the page.
#pragma once

#include <vector>

#include "roofline/tool/page_tables.h"

namespace roofline {

/// The form of a row's launches that took most time, and its occupancy.
std::vector<PartColumn> form_columns();

/// The longest form of each kernel's launches, with its occupancy; no rows if no form is known.
Table launches_table(const Profile& profile);

/// A row for each amount from a formula, with the counted one.
Table stated_table(const Profile& profile);

}  // namespace roofline
