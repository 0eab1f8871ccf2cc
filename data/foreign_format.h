// Recognises files of other formats by their first bytes: the common mistakes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gpp {

/// The number of first bytes that foreign_format() needs; a shorter file is passed whole.
inline constexpr std::int64_t foreign_format_bytes = 512;

/// Describes in sentences which kind of file this is and what to do. Returns "" if the first bytes
/// `head` may begin a gpp214 file, that is with the 20-byte record 1.
std::string foreign_format(std::string_view head);

}  // namespace gpp
