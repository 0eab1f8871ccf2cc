// Results as comma-separated values, for spreadsheets and plotting programs.
#pragma once

#include <string>
#include <vector>

#include "harness/show/side_by_side.h"

namespace gpp {

/// One line per variant of each study, a line of titles first; fields quoted where they must be
/// (RFC 4180). Unknown values are left empty. Numbers are written in full.
std::string csv(const std::vector<NamedStudy>& studies);

}  // namespace gpp
