// Compares a new variant with its parent, the variant that it was made from.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "harness/program/selection.h"
#include "harness/record/record.h"

namespace gpp {

/// The parent of a user's variant (source_diff.h), on the device where the child runs. Its variant
/// is nullptr for steps of the ladder, and if the child's file in the tree `sources` names no
/// parent.
Choice parent_of(const std::vector<Variant>& catalog, const std::filesystem::path& sources,
                 const Choice& child);

/// Describes child and parent in one study: time, speed, share of the roof if known, and whether
/// the child is faster, by the rule of comparison.h.
std::string against_parent(const StudyRecord& study, const Result& child, const Result& parent);

/// The same for scripts: {"variant", "step", "terms_per_s", "factor", "verdict", "remark"}. The
/// first three describe the parent. null without a number.
nlohmann::ordered_json against_parent_json(const StudyRecord& study, const Result& child,
                                           const Result& parent);

}  // namespace gpp
