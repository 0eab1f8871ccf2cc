// The source of a variant against that of the one it was made from: the lesson itself.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gpp/variant.h"
#include "harness/sources/line_diff.h"

namespace gpp {

/// What changed between two files. `before` and `after` are paths in the repository.
struct FileDiff {
  std::string before;
  std::string after;
  std::vector<DiffLine> lines;  ///< unified, three lines of context; empty where nothing changed
};

/// The text of a source by its path in the repository: from the source tree this program was built
/// from where that is at hand, so that an edit of a minute ago shows; else as it was built in.
std::optional<std::string> source_text(std::string_view path);

/// What the variant was made from, in its model: the step before it that has a source (v7: v6; v11
/// where the model has no v10: v9). A variant without a number names it in one of the first lines
/// of its source, as in "// Made from v8_power2."; `text` is that source. nullptr where there is
/// none.
const Variant* predecessor(const std::vector<Variant>& catalog, const Variant& variant,
                           std::string_view text);
/// The same, with the source that `source_text` gives.
const Variant* predecessor(const std::vector<Variant>& catalog, const Variant& variant);

/// The variant's own file against its predecessor's. Where the arithmetic form changed as well
/// that follows: it is where v6 to v8 differ in substance. Empty without predecessor.
std::vector<FileDiff> source_diff(const std::vector<Variant>& catalog, const Variant& variant);

}  // namespace gpp
