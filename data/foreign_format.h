// Recognises files that are not gpp214 files, the common mistakes, by their first bytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gpp {

/// First bytes that foreign_format wants to see, or the whole file where it is shorter.
inline constexpr std::int64_t foreign_format_bytes = 512;

/// The kind of the file and the remedy, as sentences; empty where `head`, its first bytes, may
/// begin a gpp214 file. Such a file begins with the marker of record 1: 20 bytes.
std::string foreign_format(std::string_view head);

}  // namespace gpp
