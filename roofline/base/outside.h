// Reads files and JSON of unknown origin. Sizes are checked first, so that no file can block a
// program or fill the memory. Writes files atomically: they are either complete or absent.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace roofline {

/// The maximum size of a record, a profile, or a file of roofs.
inline constexpr std::uintmax_t most_record_bytes = std::uintmax_t{64} << 20;

/// The text of a regular, non-empty file of at most this size. Pipes and devices are refused
/// without waiting for them. Throws InputError with the file's name.
std::string text_of_outside_file(const std::filesystem::path& file,
                                 std::uintmax_t most = most_record_bytes);

/// Throws InputError if JSON is nested too deeply (64 levels) or has too many values (4 million),
/// which would take far more memory than the text. The JSON need not be valid.
void require_bounded_json(std::string_view text, std::string_view source);

/// Parses JSON of bounded size. Throws InputError with the place of the fault and the remedy: "F:
/// not JSON or cut off after byte 12; import it anew".
nlohmann::json json_in(std::string_view text, std::string_view source, std::string_view remedy);

/// Calls `write` with a stream to a temporary file in the folder of `path`, and renames it to
/// `path` when everything is on disk. An existing file is unchanged until then; a link is replaced,
/// and its target unchanged. The temporary file is always new, has an unpredictable name, and is
/// removed if not renamed. Throws InputError if the file cannot be written; exceptions of `write`
/// pass through.
void replace_file(const std::filesystem::path& path,
                  const std::function<void(std::ostream&)>& write);

/// Replaces the file by this text.
void write_whole(const std::filesystem::path& path, std::string_view text);

}  // namespace roofline
