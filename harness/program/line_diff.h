// The difference between two texts, line by line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gpp {

/// A line of a unified diff.
struct DiffLine {
  char kind;         ///< ' ' in both, '-' only before, '+' only after, '@' a hunk's header
  std::string text;  ///< without the kind; of a header "@@ -4,7 +4,9 @@", all of it

  bool operator==(const DiffLine&) const = default;
};

/// The shortest way from one text to the other, in hunks with `context` unchanged lines around
/// them. Empty where nothing changed.
std::vector<DiffLine> unified_diff(std::string_view before, std::string_view after,
                                   std::size_t context = 3);

}  // namespace gpp
