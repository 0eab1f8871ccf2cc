// What a kernel's teachers marked: what each step acts on, and which lines play the same part in
// every step.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/kernel.h"
#include "roofline/record/lines.h"

namespace gpp {

using roofline::LinesRecord;

/// The aim of a step of the ladder, whether or not it helped.
struct StepAim {
  std::string id;                    ///< "v7"
  std::vector<std::string> against;  ///< causes: roofline/models/advice.txt
  std::string by;                    ///< how, in words that follow "by"
};

/// A line of a file that contains a text.
struct LineMark {
  std::string path;  ///< of the file in the repository; or a folder, which ends with "/"
  std::string text;
};

/// A part that a line plays in every step.
struct LineRole {
  std::string name;             ///< "cutoff"
  std::string title;            ///< for people: "the test of the cutoff"
  std::vector<LineMark> marks;  ///< any of them
};

struct Guide {
  std::vector<StepAim> aims;  ///< in the order of the steps
  std::vector<LineRole> roles;
};

/// Reads a guide: blocks `step` with `against` (causes with commas between) and `by`, and `role`
/// with `title` and one or more `line`, each a path and a text. `file` is its name for messages.
/// Throws InputError with the place; a cause that the table of advice lacks is an error.
Guide read_guide(std::string_view text, const std::string& file);

/// The kernel's own; empty where it has none.
const Guide& guide_of(const Kernel& kernel);

/// Files line by line, by path in the repository.
using SourceLines = std::map<std::string, std::vector<std::string>>;

/// Whether a line plays that part.
bool plays(const LineRole& role, std::string_view path, std::string_view line);

/// The lines of these files that play the part, in their order.
std::vector<roofline::SourcePlace> places_of(const LineRole& role, const SourceLines& sources);

/// A record's evidence on a part of the source.
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
