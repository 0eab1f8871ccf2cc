// The sources of variants: which files they are made of, and what these say.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "gpp/variant.h"

namespace gpp {

/// The whole file, or "" where it cannot be read.
std::string text_of(const std::filesystem::path& file);

/// These files and every file of the tree `sources` that they include, directly or not, by
/// #include "path from the root of the tree".
std::set<std::filesystem::path> with_included_files(
    const std::filesystem::path& sources, const std::vector<std::filesystem::path>& files);

/// Every identifier and keyword in C++ code, outside comments and string literals.
std::set<std::string> identifiers_in(std::string_view code);

/// What CMake lists a file as: id, step, model and source (cmake/Catalog.cmake).
Variant variant_in_file(const std::filesystem::path& source, const std::string& model);

/// A variant as files and comments name it: "v8_power2", or "my_idea" where it has no number.
std::string label_of(const Variant& variant);

}  // namespace gpp
