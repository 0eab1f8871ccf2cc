// The sources of variants: their files and contents, and the tree in which they lie.
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

/// A program in its build folder.
struct BuildTree {
  std::filesystem::path program;  ///< the running program
  std::filesystem::path folder;   ///< CMake's build folder
  std::filesystem::path sources;  ///< the source tree of that build
};

/// The build folder of this program. Empty if the program was moved (installed, copied to another
/// machine) or the sources are gone.
std::optional<BuildTree> own_build_tree();

/// Returns the whole file, or "" if it cannot be read.
std::string text_of(const std::filesystem::path& file);

/// Returns the given files and all files of the tree `sources` that they include, directly or not.
/// An include is relative to the root of the tree or to the including file.
std::set<std::filesystem::path> with_included_files(
    const std::filesystem::path& sources, const std::vector<std::filesystem::path>& files);

/// The arithmetic forms that a variant's source includes: files of the folder `forms`
/// (Kernel::forms), and the form that `gpp new` placed beside the variant under its name.
std::vector<std::string> forms_included(std::string_view code, const Variant& variant,
                                        const std::string& forms);

/// The files of the repository's folder `below` that a source includes, directly or indirectly, in
/// order of appearance.
std::vector<std::string> files_included(std::string_view code, const std::string& below);

/// The text of a source, by its path in the repository. It comes from the source tree of the build
/// if that exists, so that recent edits show; else from the copy in the program. The text of a
/// plug-in is the remembered one.
std::optional<std::string> source_text(std::string_view path);

/// True if the file lies in the folder or below it.
bool lies_under(const std::filesystem::path& file, const std::filesystem::path& folder);

/// Sets the text that source_text() returns for that path.
void remember_source(const std::string& path, std::string text);

/// The variant in a file by the file's name: id, step, model and source.
Variant variant_in_file(const std::filesystem::path& source, const std::string& model);

/// The part of a file's path, as a compiler wrote it, that is its path in the repository; the path
/// itself where it lies elsewhere.
std::string repository_path(const std::string& compiled);

}  // namespace gpp
