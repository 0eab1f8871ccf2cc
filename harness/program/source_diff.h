// Differences between a variant's source and its parent's.
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
  char kind;         ///< ' ' in both, '-' only before, '+' only after, '@' hunk header
  std::string text;  ///< text without the kind, or the whole header "@@ -4 +4 @@"

  bool operator==(const DiffLine&) const = default;
};

/// The shortest diff between two texts, in hunks with three unchanged lines around them, headed by
/// the numbers of their first lines. Empty if they are equal.
std::vector<DiffLine> unified_diff(std::string_view before, std::string_view after);

/// The difference between two files. `before` and `after` are paths in the repository.
struct FileDiff {
  std::string before;
  std::string after;
  std::vector<DiffLine> lines;  ///< empty without changes
};

/// The variant that this one was made from, in its model: the one that it names
/// (Variant::made_from), else the previous step that has a source (v7: v6; v11 in a model without
/// v10: v9). If a numbered step names a variant without a number, that one lies between two steps,
/// and the predecessor is the numbered step where the chain of such names begins. nullptr if there
/// is none.
const Variant* predecessor(const std::vector<Variant>& catalog, const Variant& variant);

/// The changes from the predecessor to the variant, file by file through all variants between them.
/// If one arithmetic form replaces another, their difference follows; it is the essence of v6 to
/// v8. Empty without predecessor.
std::vector<FileDiff> source_diff(const Kernel& kernel, const Variant& variant);

/// Compares a plug-in with its parent: its files by name, line by line, with the file `name`
/// against the parent's source. Without a parent (nullptr) the whole file is new.
std::vector<FileDiff> diff_of_plugin(const Variant* parent, const std::string& name,
                                     const std::map<std::string, std::vector<std::string>>& files);

}  // namespace gpp
