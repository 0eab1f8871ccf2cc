// Writes a file atomically: it is either complete or absent.
#pragma once

#include <filesystem>
#include <functional>
#include <iosfwd>
#include <string_view>

namespace roofline {

/// Calls `write` with a stream to a temporary file in the folder of `path`, and renames it to
/// `path` when everything is on disk. An existing file is unchanged until then; a link is replaced,
/// and its target unchanged. The temporary file is always new, has an unpredictable name, and is
/// removed if not renamed. Throws InputError if the file cannot be written; exceptions of `write`
/// pass through.
void replace_file(const std::filesystem::path& path,
                  const std::function<void(std::ostream&)>& write);

/// Removes the temporary files that a killed program left in a folder.
void remove_partial_files(const std::filesystem::path& folder);

/// Replaces the file by this text.
void write_whole(const std::filesystem::path& path, std::string_view text);

}  // namespace roofline
