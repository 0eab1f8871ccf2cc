// Writing a file so that it is either complete or not there.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <string_view>

namespace roofline {

/// The fate of a symbolic link at the file's place.
enum class AtLink {
  follow,  ///< the file goes to the link's end: a person named the link
  replace  ///< the link is replaced, and what it points at stays untouched
};

/// Calls `write` with a stream into a temporary file in the folder of `path`, and renames it to
/// `path` when everything is on the disk. An existing file stays untouched until then. The
/// temporary file has an unforeseeable name, is always new, and is removed
/// either way. `bytes` is the size to come: it is refused beforehand where the disk has no room for
/// it. Throws InputError when the file cannot be written; what `write` throws passes through.
void replace_file(const std::filesystem::path& path, std::int64_t bytes,
                  const std::function<void(std::ostream&)>& write, AtLink at_link = AtLink::follow);

/// Removes what writers left in the folder that were killed. Nobody may be writing there.
void remove_partial_files(const std::filesystem::path& folder);

/// Replaces the file by this text, never through a link: for files that the program names itself.
void write_whole(const std::filesystem::path& path, std::string_view text);

}  // namespace roofline
