// The nearest known name to one that was mistyped.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace roofline {

/// The known name closest to a mistyped one (fewest characters inserted, removed or replaced), or
/// empty where none is close enough to be meant: within a third of its length, at least 1.
std::string nearest(std::string_view name, const std::vector<std::string>& known);

/// "unknown preset 'smal'; did you mean 'small'? Known: tiny, small, medium."
std::string unknown_name(std::string_view kind, std::string_view name,
                         const std::vector<std::string>& known);

}  // namespace roofline
