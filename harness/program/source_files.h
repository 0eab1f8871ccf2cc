// The sources of variants: which files they are made of, and what these say.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "harness/variant.h"

namespace gpp {

/// The whole file, or "" where it cannot be read.
std::string text_of(const std::filesystem::path& file);

/// These files and every file of the tree `sources` that they include, directly or not, by
/// #include "path from the root of the tree", or from where the including file lies.
std::set<std::filesystem::path> with_included_files(
    const std::filesystem::path& sources, const std::vector<std::filesystem::path>& files);

/// Every identifier and keyword in C++ code, outside comments and string literals.
std::set<std::string> identifiers_in(std::string_view code);

/// The code with these identifiers under other names; comments and string literals stay. A
/// qualifier "gpp::" before one of them goes.
std::string with_renamed_identifiers(std::string_view code,
                                     const std::map<std::string, std::string>& names);

/// The arithmetic forms that a variant's source includes: files of the folder `forms`
/// (Kernel::forms), and the one that `gpp new` made for it, which lies beside it under its name.
std::vector<std::string> forms_included(std::string_view code, const Variant& variant,
                                        const std::string& forms);

/// The files of the repository's folder `below` that a source includes, directly or through such
/// files, in the order in which they are met.
std::vector<std::string> files_included(std::string_view code, const std::string& below);

/// The text of a source by its path in the repository: from the source tree this program was built
/// from where that is at hand, so that an edit of a minute ago shows; else as it was built in. Of
/// plug-ins: what is remembered.
std::optional<std::string> source_text(std::string_view path);

/// The text that source_text() gives for that path from now on.
void remember_source(const std::string& path, std::string text);

/// The variant as which CMake lists a file: id, step, model and source (cmake/Catalog.cmake).
Variant variant_in_file(const std::filesystem::path& source, const std::string& model);

}  // namespace gpp
