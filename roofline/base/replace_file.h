// Writes a file atomically: it is either complete or absent.
#pragma once

#include <filesystem>
#include <functional>
#include <iosfwd>
#include <string_view>

namespace roofline {

/// What to do with a symbolic link in the file's place.
enum class AtLink {
  follow,  ///< write to the link's target, because a person named the link
  replace  ///< replace the link and leave its target unchanged
};

/// Calls `write` with a stream to a temporary file in the folder of `path`, and renames it to
/// `path` when everything is on disk. An existing file is unchanged until then. The temporary file
/// is always new, has an unpredictable name, and is removed if not renamed. Throws InputError if
/// the file cannot be written; exceptions of `write` pass through.
void replace_file(const std::filesystem::path& path,
                  const std::function<void(std::ostream&)>& write, AtLink at_link = AtLink::follow);

/// Removes temporary files of killed writers from the folder. No writer may be active there.
void remove_partial_files(const std::filesystem::path& folder);

/// Replaces the file by this text, but not through a link: for files that the program names.
void write_whole(const std::filesystem::path& path, std::string_view text);

}  // namespace roofline
