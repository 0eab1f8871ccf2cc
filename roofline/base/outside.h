// What comes from outside: files of unknown origin, and JSON of unknown origin. Both are bounded
// before anything of them is taken, so that no file makes a program wait, or fill the memory.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace roofline {

/// The most bytes of a record, a profile, a file of roofs.
inline constexpr std::uintmax_t most_record_bytes = std::uintmax_t{64} << 20;

/// The text of a regular file that is not empty and has at most so many bytes. Nothing else is
/// read, nor waited for: no pipe, no device. Throws InputError with the file's name.
std::string text_of_outside_file(const std::filesystem::path& file,
                                 std::uintmax_t most = most_record_bytes);

/// Throws InputError where JSON is nested too deeply (64 levels), or has too many values (4
/// million): it would take far more memory than its text. It need not be valid.
void require_bounded_json(std::string_view text, std::string_view source);

/// The text as JSON, bounded. Throws InputError, which says where it ends to be JSON, and ends with
/// the remedy: "F: not JSON or cut off after byte 12; import it anew".
nlohmann::json json_in(std::string_view text, std::string_view source, std::string_view remedy);

}  // namespace roofline
