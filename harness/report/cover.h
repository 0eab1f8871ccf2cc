// What a reader has not predicted yet can be covered: the numbers, marks and texts of these steps.
#pragma once

#include <set>
#include <string>

#include "harness/report/sections.h"

namespace gpp {

/// The variants of a kernel that the answers of this user (answers_file.h) predict. None where they
/// cannot be read.
std::set<std::string> predicted_variants(const std::string& kernel);

/// Gives everything in a page that tells of a step the tag "!covered": the step; what tells of all
/// of them has all. Adds the switch "covered", which the page's script sets, and the block that
/// turns the cover on; and to the panel of each step what can be predicted there. `predicted` are
/// covered by nothing.
void add_cover(PageJson& page, const PageParts& parts, const std::set<std::string>& predicted);

}  // namespace gpp
