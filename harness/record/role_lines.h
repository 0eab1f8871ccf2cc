// The lines of a record that play a part which the kernel's guide marks.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/record/guide.h"
#include "harness/record/line_evidence.h"

namespace gpp {

/// Files line by line, by path in the repository.
using SourceLines = std::map<std::string, std::vector<std::string>>;

/// Whether a line plays that part.
bool plays(const LineRole& role, std::string_view path, std::string_view line);

/// The lines of these files that play the part, in their order.
std::vector<roofline::SourcePlace> places_of(const LineRole& role, const SourceLines& sources);

/// What a record tells of a part.
struct RoleEvidence {
  /// The hottest of the lines that play it, and its text as the record holds it, not yet made
  /// visible.
  roofline::SourcePlace place;
  std::string source;
  roofline::Events stalls;  ///< of all of them, with what is inlined at a line of the variant
  roofline::Events counts;

  std::uint64_t samples() const;
};

/// Empty where none of the recorded lines plays it.
std::optional<RoleEvidence> evidence_of(const LineRole& role, const LinesRecord& lines);

}  // namespace gpp
