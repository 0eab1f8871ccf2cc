// The source of a variant against that of the one it was made from: the lesson itself.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/kernel.h"

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

/// The difference between two files. `before` and `after` are paths in the repository.
struct FileDiff {
  std::string before;
  std::string after;
  std::vector<DiffLine> lines;  ///< unified, three lines of context; empty where nothing changed
};

/// The variant that this one was made from, in its model: the step before it that has a source (v7:
/// v6; v11 where the model has no v10: v9). A source may name it in one of its first lines, as in
/// "// Made from v8_power2."; `text` is that source. Where a step with a number names one without,
/// that one lies between two steps, and the predecessor is where the way over such names begins.
/// nullptr where there is none.
const Variant* predecessor(const std::vector<Variant>& catalog, const Variant& variant,
                           std::string_view text);
/// The predecessor by the source that `source_text` gives.
const Variant* predecessor(const std::vector<Variant>& catalog, const Variant& variant);

/// The way from the predecessor to the variant, through all that lies between: each file against
/// the one before. Where it takes one arithmetic form in the place of another their difference
/// follows, which is the substance of v6 to v8. Files of the kernel that it is the first to include
/// come whole. Empty without predecessor.
std::vector<FileDiff> source_diff(const Kernel& kernel, const Variant& variant);

/// Compares a plug-in likewise: its files by name, line by line, the file called `name` against the
/// parent's source. The whole file counts as new where there is no parent (nullptr).
std::vector<FileDiff> diff_of_plugin(const Variant* parent, const std::string& name,
                                     const std::map<std::string, std::vector<std::string>>& files);

}  // namespace gpp
