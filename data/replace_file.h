// Writing a file so that it is either complete or not there.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <iosfwd>

namespace gpp {

/// Calls `write` with a stream into a temporary file beside `path`, and renames it to `path` when
/// everything is on the disk. An existing file stays untouched until then. `bytes` is the size to
/// come: it is refused beforehand where the disk has no room for it. Throws InputError when the
/// file cannot be written; what `write` throws passes through. The temporary file is removed either
/// way.
void replace_file(const std::filesystem::path& path, std::int64_t bytes,
                  const std::function<void(std::ostream&)>& write);

}  // namespace gpp
