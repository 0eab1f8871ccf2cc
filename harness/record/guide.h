// A kernel's guide, written by its teachers: the aim of each step, and the lines that have the same
// role in every step.
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

/// The aim of a ladder's step, whether or not it was reached.
struct StepAim {
  std::string id;                    ///< "v7"
  std::vector<std::string> against;  ///< names of causes in roofline/models/advice.txt
  std::string by;                    ///< the means, as words that follow "by"
};

/// Marks the line of a file that contains a given text.
struct LineMark {
  std::string path;  ///< path of the file in the repository, or of a folder, with "/"
  std::string text;
};

/// A role that some line has in every step.
struct LineRole {
  std::string name;             ///< "cutoff"
  std::string title;            ///< title for people: "the test of the cutoff"
  std::vector<LineMark> marks;  ///< any one of them identifies the line
};

struct Guide {
  std::vector<StepAim> aims;  ///< the steps' aims, sorted by step
  std::vector<LineRole> roles;
};

/// Reads a guide: blocks `step` with `against` (causes, separated by commas) and `by`, and blocks
/// `role` with `title` and one or more `line`, each a path and a text. `file` is its name in
/// messages. Throws InputError with the place, also for a cause that the table of advice lacks.
Guide read_guide(std::string_view text, const std::string& file);

/// The kernel's guide; empty if it has none.
const Guide& guide_of(const Kernel& kernel);

/// The lines of files, by path in the repository.
using SourceLines = std::map<std::string, std::vector<std::string>>;

/// True if a line has that role.
bool plays(const LineRole& role, std::string_view path, std::string_view line);

/// The lines with a role in the given files, in order.
std::vector<roofline::SourcePlace> places_of(const LineRole& role, const SourceLines& sources);

/// A record's evidence on the lines of a role.
struct RoleEvidence {
  /// The hottest of the role's lines, and its recorded text with unprintable characters.
  roofline::SourcePlace place;
  std::string source;
  roofline::Events stalls;  ///< stalls of all its lines, with code inlined in the variant
  roofline::Events counts;

  std::uint64_t samples() const;
};

/// Returns nothing if no recorded line has the role.
std::optional<RoleEvidence> evidence_of(const LineRole& role, const LinesRecord& lines);

}  // namespace gpp
